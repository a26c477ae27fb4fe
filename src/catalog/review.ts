import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument, JsonObject } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import { changeFindings, type Finding, findingsOf } from './findings.ts'
import { decisionsAbout, type JudgedItem, judge } from './judge.ts'
import { PIN_KINDS, type PinKind } from './kinds.ts'
import type { Lock } from './lock.ts'
import { lookAt } from './look.ts'
import { NOTHING, type Snapshot } from './snapshot.ts'

/** Reaches upstreams for a reviewer, outside a running gateway. */
export interface Connection {
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined): Promise<JsonDocument>
  discover(alias: string): Promise<JsonDocument>
  /** Why a schema could not be enforced, so that nobody approves in vain. */
  screen?(pin: string, descriptor: JsonObject): string | undefined
  close(): Promise<void>
}

export interface Reviewed extends JudgedItem {
  readonly findings: readonly Finding[]
  /** Approving it would not make it callable. */
  readonly unenforceable: string | undefined
}

export interface UpstreamReview {
  readonly items: readonly Reviewed[]
  readonly withheld: readonly { readonly kind: PinKind; readonly name: string; readonly reason: string }[]
  /** Lists that could not be read, while others could. */
  readonly unread: readonly { readonly kind: ItemKind; readonly error: unknown }[]
}

/** What the upstream shows now, beside its lock. Throws SnapshotError, or what the connection throws, when no list can be read. */
export async function reviewUpstream(upstream: UpstreamConfig, lock: Lock | undefined, connection: Connection): Promise<UpstreamReview> {
  const { alias } = upstream
  const lists = new Map<PinKind, Snapshot>()
  const { failures } = await lookAt(
    { discover: () => connection.discover(alias), fetchList: (kind, cursor) => connection.fetchList(alias, kind, cursor) },
    upstream,
    {
      read: (kind, snapshot) => lists.set(kind, snapshot),
      discovered: discovery => lists.set('server', discovery?.server ?? NOTHING),
    },
  )
  const read = PIN_KINDS.filter(kind => !(failures as ReadonlyMap<PinKind, unknown>).has(kind))
  const snapshotOf = (kind: PinKind) => lists.get(kind) ?? NOTHING
  const decisions = decisionsAbout(upstream, lock)
  const findings = findingsOf(read.flatMap(kind => [...snapshotOf(kind).items.values()]))
  const items = read.flatMap(kind =>
    judge(kind, decisions, snapshotOf(kind)).map((item): Reviewed => {
      const { seen, approved } = item
      if (seen === undefined) return { ...item, findings: [], unenforceable: undefined }
      const all = [...findings(seen), ...changeFindings(approved?.descriptor, seen.descriptor)]
      return { ...item, findings: all, unenforceable: kind === 'tool' ? connection.screen?.(seen.pin, seen.descriptor) : undefined }
    }),
  )
  return {
    items,
    withheld: read.flatMap(kind => snapshotOf(kind).withheld.map(each => ({ kind, ...each }))),
    unread: [...failures].map(([kind, error]) => ({ kind, error })),
  }
}
