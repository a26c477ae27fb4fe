import type { JsonObject } from '../core/json.ts'
import type { CallMethod, ResultText } from '../core/model.ts'
import { spliceMembers } from './splice.ts'
import { type IsAllowedLink, UriSearch } from './uri-search.ts'

export interface RewrittenUris {
  /** The very text that was given, when nothing in it changes. */
  readonly text: ResultText
  readonly rewritten: number
  readonly withheld: number
}

/**
 * The URIs of resources in a result, behind their upstream's prefix: whatever it says, no link of it leads to another's data. Nothing else
 * of the text changes. A link that is not allowed gives way to a text that says so, without the address. Throws
 * UPSTREAM_INVALID where there should be a URI and is none.
 *
 * `method` is that of the request; of a task, wherever it is told of (created, asked for, in a notification), `tasks/get`; of questions,
 * with `inputRequests` among the members, `input_required`. `text` holds the members of `result`, or some of them.
 */
export function rewriteUris(
  text: ResultText,
  result: JsonObject,
  method: CallMethod | 'input_required',
  prefix: string,
  isAllowed: IsAllowedLink,
): RewrittenUris {
  const search = new UriSearch(prefix, isAllowed)
  search.inResult(result, method)
  const { edits, rewritten, withheld } = search
  return { text: edits === undefined ? text : { members: spliceMembers(text.members, edits), meta: text.meta }, rewritten, withheld }
}
