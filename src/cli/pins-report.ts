import { changesOf, type Lock, type LockItem, type Reviewed, readableJson } from '../catalog/index.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import { explainUnreachable } from './command-failed.ts'
import { type Desk, decideCommands } from './pins-commands.ts'
import { type Looked, needsReview } from './pins-session.ts'

/** Names the shape: docs/pins-report.v1.json. A member may be added; another meaning would be another number. */
const FORMAT = 'wicketgate/pins-report/1'

/** `fetch` and `diff` for programs. What servers say is exact, with everything hidden escaped. */
export function lookReport(desk: Desk, all: readonly Looked[], command: 'fetch' | 'diff'): string {
  const upstreams = all.map(({ upstream: { alias, url }, review, shown, failure }) => ({
    alias,
    url,
    failure: failure ?? null,
    unread: review.unread.map(({ kind, variant, error }) => ({ kind, variant, reason: explainUnreachable(error) })),
    withheld: review.withheld.map(({ kind, name, variant, reason }) => ({ kind, name, variant, reason })),
    items: shown.map(item => itemReport(desk, alias, item)),
  }))
  const waiting = all.reduce((sum, { shown }) => sum + shown.filter(needsReview).length, 0)
  return `${readableJson({ format: FORMAT, command, waiting, upstreams } as JsonObject)}\n`
}

/** `list` for programs. */
export function listReport(locks: readonly (readonly [UpstreamConfig, Lock | undefined])[], isSigned: boolean): string {
  const upstreams = locks.map(([{ alias, url }, lock]) => ({
    alias,
    url,
    about: lock === undefined ? null : { alias: lock.alias, url: lock.url },
    signature: lock?.signature === undefined ? null : { keyId: lock.signature.keyId, verified: isSigned },
    decisions: (lock?.items ?? []).map(item => ({ kind: item.kind, name: item.name, variant: item.variant, ...decisionReport(item) })),
  }))
  return `${readableJson({ format: FORMAT, command: 'list', upstreams } as JsonObject)}\n`
}

function itemReport(desk: Desk, alias: string, item: Reviewed): JsonObject {
  const { kind, name, variant, state, cosmetic, seen, approved, decided, rejections, risks, findings, unenforceable } = item
  const commands = decideCommands(desk, alias, item)
  return {
    kind,
    name,
    variant,
    state,
    cosmetic,
    pin: seen?.pin ?? null,
    decided: decided === undefined ? null : decisionReport(decided),
    rejections: rejections.map(decisionReport),
    unenforceable: unenforceable ?? null,
    risks: risks.map(finding => ({ ...finding })),
    changes: state === 'approved' ? [] : changesOf(approved?.descriptor, seen?.descriptor).map(changeReport),
    findings: findings.map(finding => ({ ...finding })),
    commands: commands === undefined ? null : { ...commands },
  }
}

function decisionReport({ state, pin, by, at, reason }: LockItem): JsonObject {
  return { state, pin, by, at, reason }
}

/** A side that is not there is left out: `null` is a value. */
function changeReport({ pointer, before, after }: ReturnType<typeof changesOf>[number]): JsonObject {
  return { pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}
