import { Buffer } from 'node:buffer'

/** One entry of a stream's log. */
export type StreamEntry =
  /** The first: whose stream it is. */
  | { readonly kind: 'head'; readonly scopes: readonly string[] }
  /** `from`: place of the first message. `isLast`: nothing comes behind these. */
  | { readonly kind: 'said'; readonly from: number; readonly messages: readonly string[]; readonly isLast: boolean }

/** No JSON text has this character, and no scope: strings escape it. */
const BETWEEN = '\u0000'

export function writeEntry(entry: StreamEntry): Buffer {
  const parts = entry.kind === 'head' ? ['head', ...entry.scopes] : [entry.isLast ? 'last' : 'more', String(entry.from), ...entry.messages]
  return Buffer.from(parts.join(BETWEEN))
}

/** Only ever reads what `writeEntry` made: entries are sealed. */
export function readEntry(bytes: Buffer): StreamEntry {
  const [mark, ...rest] = bytes.toString().split(BETWEEN)
  if (mark === 'head') return { kind: 'head', scopes: rest }
  const [from, ...messages] = rest
  return { kind: 'said', from: Number(from), messages, isLast: mark === 'last' }
}
