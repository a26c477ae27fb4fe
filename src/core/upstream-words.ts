import type { ErrorCode, Refusal } from './errors.ts'
import { visible } from './visible.ts'

/** Why an upstream could not be read, for the operator: in words, then the code and what lies beneath it. */
export function wordsOfRefusal(refusal: Refusal): string {
  const { code, detail } = refusal
  const details = Object.entries(detail).map(([key, value]) => `${key}: ${value}`)
  const { status } = detail
  const inHttp = typeof status === 'number' && status !== 200 ? `HTTP ${status}: ` : ''
  const words = status === 404 ? 'there is nothing at this path' : (wordsOfProcess(refusal) ?? EXPLAINED[code] ?? 'it gave no list')
  return `${inHttp}${words} (${visible([code, ...details].join(', '))})`
}

const EXPLAINED: Readonly<Partial<Record<ErrorCode, string>>> = {
  UPSTREAM_UNREACHABLE: 'no connection',
  UPSTREAM_TIMEOUT: 'no answer in time',
  UPSTREAM_AUTH_REQUIRED: "it refuses the gateway's own credential",
  UPSTREAM_INVALID: 'its answer is not one of MCP',
}

/** What cannot happen to a connection. */
function wordsOfProcess({ detail: { reason, cause } }: Refusal): string | undefined {
  if (typeof cause !== 'string') return undefined
  if (cause === 'ENOENT' || cause === 'EACCES' || cause === 'ENOEXEC') return 'it cannot be started'
  return reason === 'broken' && /^(exit|SIG|stdout|noise|endless|protocol)/.test(cause) ? 'it ended before it had answered' : undefined
}
