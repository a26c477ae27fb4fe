import type { RequestMessage } from './message.ts'
import { paramsInvalid } from './params-invalid.ts'

/** The text of a member of `params`, as received; throws MCP_PARAMS_INVALID when there is none. */
export function paramText({ document }: RequestMessage, key: string): string {
  const span = document.spans.get(`/params/${key}`)
  if (span === undefined) throw paramsInvalid(key)
  return document.text.slice(span[0], span[1])
}
