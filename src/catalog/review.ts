import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument, JsonObject } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import { SHARED } from '../core/variant.ts'
import { changesOf } from './diff.ts'
import { type Face, facesOf } from './face.ts'
import { type Finding, findingsOf, riskFirst, type Surroundings } from './findings.ts'
import { changeFindings } from './findings-change.ts'
import { decisionsFor, isCosmetic, type JudgedItem, judge } from './judge.ts'
import { LIST_KINDS, PIN_KINDS, type PinKind } from './kinds.ts'
import type { Lock, LockItem } from './lock.ts'
import { lookAt } from './look.ts'
import { NOTHING, type Snapshot } from './snapshot.ts'

/** Reaches upstreams for a reviewer, outside a running gateway. */
export interface Connection {
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined, variant: string): Promise<JsonDocument>
  discover(alias: string, variant: string): Promise<JsonDocument>
  /** Why a schema could not be enforced, so that nobody approves in vain. */
  screen?(pin: string, descriptor: JsonObject): string | undefined
  close(): Promise<void>
}

export interface Reviewed extends JudgedItem {
  /** Of what is `drifted`: only the order of keys or sets changed. */
  readonly cosmetic: boolean
  /** What the change brings; of an item that was never approved, everything that was found. The most serious first. */
  readonly risks: readonly Finding[]
  /** Everything that was found in what is shown now, `risks` among it. */
  readonly findings: readonly Finding[]
  /** The decision that stands: the approval, also of a text that has changed since; the rejection of what is shown. */
  readonly decided: LockItem | undefined
  /** Other texts of it that were rejected. */
  readonly rejections: readonly LockItem[]
  /** Approving it would not make it callable. */
  readonly unenforceable: string | undefined
}

export interface UpstreamReview {
  readonly items: readonly Reviewed[]
  readonly withheld: readonly { readonly kind: PinKind; readonly name: string; readonly variant: string; readonly reason: string }[]
  /** Lists that could not be read, while others could. */
  readonly unread: readonly { readonly kind: ItemKind; readonly variant: string; readonly error: unknown }[]
}

/**
 * What the upstream shows now, to each class of principals, beside its lock. `elsewhere`: tools of other upstreams, which a text may speak
 * of. Throws SnapshotError, or what the connection throws, when no list can be read of any.
 */
export async function reviewUpstream(
  upstream: UpstreamConfig,
  lock: Lock | undefined,
  connection: Connection,
  elsewhere: NonNullable<Surroundings['elsewhere']> = new Map(),
): Promise<UpstreamReview> {
  const faces = facesOf(upstream)
  const settled = await Promise.allSettled(faces.map(face => reviewFace(face, lock, connection, elsewhere)))
  const reviews = settled.flatMap((outcome, index): readonly UpstreamReview[] => {
    if (outcome.status === 'fulfilled') return [outcome.value]
    // A credential that is refused, or has expired, costs the other classes nothing.
    const { variant = SHARED } = faces[index] ?? {}
    return [{ items: [], withheld: [], unread: LIST_KINDS.map(kind => ({ kind, variant, error: outcome.reason })) }]
  })
  const failure = settled.find(outcome => outcome.status === 'rejected')
  if (failure !== undefined && settled.every(({ status }) => status === 'rejected')) throw failure.reason
  return {
    items: reviews.flatMap(({ items }) => items),
    withheld: reviews.flatMap(({ withheld }) => withheld),
    unread: reviews.flatMap(({ unread }) => unread),
  }
}

/** `reviewUpstream` for one class of principals. */
async function reviewFace(
  face: Face,
  lock: Lock | undefined,
  connection: Connection,
  elsewhere: NonNullable<Surroundings['elsewhere']>,
): Promise<UpstreamReview> {
  const { alias, variant } = face
  const lists = new Map<PinKind, Snapshot>()
  const { failures } = await lookAt(
    {
      discover: () => connection.discover(alias, variant),
      fetchList: (kind, cursor) => connection.fetchList(alias, kind, cursor, variant),
    },
    face,
    {
      read: (kind, snapshot) => lists.set(kind, snapshot),
      discovered: discovery => lists.set('server', discovery?.server ?? NOTHING),
    },
  )
  const read = PIN_KINDS.filter(kind => !(failures as ReadonlyMap<PinKind, unknown>).has(kind))
  const snapshotOf = (kind: PinKind) => lists.get(kind) ?? NOTHING
  const decisions = decisionsFor(face, lock)
  const tools = decisions.filter(({ kind, state }) => kind === 'tool' && state === 'approved').map(({ name }) => name)
  const scan = findingsOf(
    read.flatMap(kind => [...snapshotOf(kind).items.values()]),
    { approved: tools, elsewhere },
  )
  const items = read.flatMap(kind =>
    judge(kind, decisions, snapshotOf(kind)).map((item): Reviewed => {
      const { seen } = item
      return {
        ...item,
        cosmetic: isCosmetic(item),
        ...findIn(item, scan),
        ...decisionsOn(item, decisions),
        unenforceable: seen !== undefined && kind === 'tool' ? connection.screen?.(seen.pin, seen.descriptor) : undefined,
      }
    }),
  )
  return {
    items,
    withheld: read.flatMap(kind => snapshotOf(kind).withheld.map(each => ({ kind, variant, ...each }))),
    unread: [...failures].map(([kind, error]) => ({ kind, variant, error })),
  }
}

/** A finding that the approved text has, too, in a place that has not changed, is nothing that the change brings. */
function findIn({ seen, approved }: JudgedItem, scan: ReturnType<typeof findingsOf>): Pick<Reviewed, 'risks' | 'findings'> {
  if (seen === undefined) return { risks: [], findings: [] }
  const [inText, inChange] = [scan(seen), changeFindings(approved?.descriptor, seen.descriptor)]
  const findings = riskFirst([...inChange, ...inText])
  if (approved === undefined) return { risks: findings, findings }
  const known = new Set(scan(approved).map(identityOfFinding))
  const places = changesOf(approved.descriptor, seen.descriptor).map(({ pointer }) => pointer)
  const isNew = (finding: Finding) => !known.has(identityOfFinding(finding)) || places.some(place => isNear(place, finding.pointer))
  return { risks: riskFirst([...inChange, ...inText.filter(isNew)]), findings }
}

/** The same place, or one within the other. */
function isNear(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}

function identityOfFinding({ code, pointer, message }: Finding): string {
  return [code, message, pointer].join('\0')
}

function decisionsOn(
  { kind, name, state, seen, approved }: JudgedItem,
  decisions: readonly LockItem[],
): Pick<Reviewed, 'decided' | 'rejections'> {
  const rejections = decisions.filter(item => item.state === 'rejected' && item.kind === kind && item.name === name)
  const isShown = (item: LockItem) => item.pin === seen?.pin
  return { decided: state === 'rejected' ? rejections.find(isShown) : approved, rejections: rejections.filter(item => !isShown(item)) }
}
