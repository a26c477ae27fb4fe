import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument, JsonObject } from '../core/json.ts'
import { changeFindings, type Finding, findingsIn } from './findings.ts'
import { type JudgedTool, judge } from './judge.ts'
import type { Lock } from './lock.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** Reaches upstreams for a reviewer, outside a running gateway. */
export interface Connection {
  fetchTools(alias: string, cursor: string | undefined): Promise<JsonDocument>
  /** Why a schema could not be enforced, so that nobody approves in vain. */
  screen?(pin: string, descriptor: JsonObject): string | undefined
  close(): Promise<void>
}

export interface Reviewed extends JudgedTool {
  readonly findings: readonly Finding[]
  /** Approving it would not make it callable. */
  readonly unenforceable: string | undefined
}

export interface UpstreamReview {
  readonly tools: readonly Reviewed[]
  readonly withheld: Snapshot['withheld']
}

/** What the upstream shows now, beside its lock. Throws SnapshotError, or what the connection throws. */
export async function reviewUpstream(upstream: UpstreamConfig, lock: Lock | undefined, connection: Connection): Promise<UpstreamReview> {
  const snapshot = await takeSnapshot(cursor => connection.fetchTools(upstream.alias, cursor), upstream)
  const names = [...snapshot.tools.keys()]
  const tools = judge(upstream, lock, snapshot).map((tool): Reviewed => {
    const { seen, approved, name } = tool
    if (seen === undefined) return { ...tool, findings: [], unenforceable: undefined }
    const others = names.filter(other => other !== name)
    const findings = [...findingsIn(seen.descriptor, others), ...changeFindings(approved?.descriptor, seen.descriptor)]
    return { ...tool, findings, unenforceable: connection.screen?.(seen.pin, seen.descriptor) }
  })
  return { tools, withheld: snapshot.withheld }
}
