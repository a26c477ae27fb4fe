import { type Finding, findingsOf, riskFirst, type Scanned } from '../../src/catalog/findings.ts'
import { changeFindings } from '../../src/catalog/findings-change.ts'
import { identityOf } from '../../src/catalog/kinds.ts'
import { ATTACK_CLASSES, type AttackClass, type HonestServer, type Hostile, type HostileSet, type Shown } from './example.ts'

/** What was found in one example. */
export interface Scored {
  readonly id: string
  /** What it is after; of an honest one, what it is. */
  readonly about: string
  readonly findings: readonly Finding[]
}

/** Of level `block`. */
export function isSerious({ findings }: Scored): boolean {
  return findings.some(({ level }) => level === 'block')
}

export interface Score {
  readonly hostile: ReadonlyMap<AttackClass, readonly Scored[]>
  /** By server, its items and its changes. */
  readonly honest: readonly { readonly server: string; readonly items: readonly Scored[]; readonly changes: readonly Scored[] }[]
}

export function score(hostile: HostileSet, honest: readonly HonestServer[]): Score {
  const byClass = ATTACK_CLASSES.map(name => [name, hostile[name].map(scoreHostile)] as const)
  return {
    hostile: new Map(byClass),
    honest: honest.map(server => scoreHonest(server, honest)),
  }
}

function scoreHostile({ id, attack, kind, descriptor, approved, beside = [], elsewhere = {} }: Hostile): Scored {
  const item = scannedOf({ kind, descriptor })
  const siblings = beside.map((name): Scanned => ({ kind: 'tool', name, descriptor: {} }))
  const known = approved === undefined ? beside : [...beside, item.name]
  const scan = findingsOf([item, ...siblings], { approved: known, elsewhere: new Map(Object.entries(elsewhere)) })
  return { id, about: attack, findings: riskFirst([...scan(item), ...changeFindings(approved, descriptor)]) }
}

/** As at first contact, with all the other servers there already; each change by itself, as a release would bring it. */
function scoreHonest({ name: server, items, changes = [] }: HonestServer, all: readonly HonestServer[]): Score['honest'][number] {
  const elsewhere = new Map(all.filter(other => other.name !== server).map(other => [other.name, toolsOf(other.items)]))
  const scanned = items.map(scannedOf)
  const scan = findingsOf(scanned, { elsewhere })
  return {
    server,
    items: scanned.map(item => ({ id: `${server}: ${item.name}`, about: item.kind, findings: scan(item) })),
    changes: changes.map(({ what, kind, before, after }) => {
      const item = scannedOf({ kind, descriptor: after })
      const rescan = findingsOf([item, ...scanned], { approved: toolsOf(items), elsewhere })
      return { id: `${server}: ${item.name}`, about: what, findings: riskFirst([...rescan(item), ...changeFindings(before, after)]) }
    }),
  }
}

function scannedOf({ kind, descriptor }: Shown): Scanned {
  return { kind, name: String(identityOf(kind, descriptor)), descriptor }
}

function toolsOf(items: readonly Shown[]): readonly string[] {
  return items.flatMap(item => (item.kind === 'tool' ? [scannedOf(item).name] : []))
}
