import type { RequestMeta } from '../core/model.ts'
import type { RequestMessage } from '../mcp/index.ts'
import type { Admitted } from './enter.ts'

const NO_META = { protocolVersion: undefined, traceparent: undefined, tracestate: undefined }

/** Twice: a message that is refused for its version, its session or its `_meta` is recorded with what it asked for, too. */
export function noteMessage({ trace }: Admitted, { method, id, params }: RequestMessage, meta?: RequestMeta): void {
  const exposedName = typeof params.name === 'string' ? params.name : undefined
  const { protocolVersion, traceparent, tracestate } = meta ?? NO_META
  trace.message({ method, id, exposedName, protocolVersion, traceparent, tracestate })
}
