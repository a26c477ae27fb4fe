import { type JsonObject, parseJsonText } from '../core/json.ts'
import type { CheckedAnswerFacts, ResultText, UpstreamAnswer, UpstreamError } from '../core/model.ts'
import { readResult } from '../mcp/index.ts'

/** By kind; questions are never kept. Numbers and places stay as they are: records outlive the process that wrote them. */
const RESULT = 1
const ERROR = 2
const TASK = 3

/**
 * Text of an answer for the store: one line of facts, then its two texts as they were, so that a replay is the same to the letter. What was
 * found in it is kept for the record of a replay, which shows it again.
 */
export function writeAnswer({ answer, isError, withheld, linksWithheld, hiddenCharacters, truncatedBytes }: CheckedAnswerFacts): Buffer {
  const [kind, code, first, second] = partsOf(answer)
  const facts = [kind, code, isError ? 1 : 0, withheld === undefined ? 0 : 1, second === undefined ? 0 : 1, first.length]
  if (linksWithheld !== undefined || hiddenCharacters !== undefined || truncatedBytes !== undefined)
    facts.push(linksWithheld ?? 0, hiddenCharacters ?? 0, truncatedBytes ?? 0)
  return Buffer.from(`${JSON.stringify(facts)}\n${first}${second ?? ''}`)
}

function partsOf(answer: UpstreamAnswer): readonly [kind: number, code: number, first: string, second: string | undefined] {
  if (answer.kind === 'error') return [ERROR, answer.code, answer.message, answer.dataText]
  return [answer.kind === 'task' ? TASK : RESULT, 0, answer.text.members, answer.text.meta]
}

/** Back to the answer; `undefined` for a text that `writeAnswer` does not make. */
export function readAnswer(bytes: Buffer): CheckedAnswerFacts | undefined {
  const text = bytes.toString()
  const line = text.indexOf('\n')
  try {
    const facts = parseJsonText(text.slice(0, line)).value
    if (!Array.isArray(facts)) return undefined
    const [kind, code, isError, withheld, hasSecond, length, links, hidden, truncated]: unknown[] = facts
    if (typeof length !== 'number' || typeof code !== 'number') return undefined
    const first = text.slice(line + 1, line + 1 + length)
    const second = text.slice(line + 1 + length)
    const answer =
      kind === ERROR
        ? toError(code, first, hasSecond === 1 ? second : undefined)
        : toAnswer(kind === TASK, { members: first, meta: second })
    return {
      answer,
      isError: isError === 1,
      withheld: withheld === 1 ? 'VALIDATION_RESULT' : undefined,
      ...(isCount(links) && { linksWithheld: links }),
      ...(isCount(hidden) && { hiddenCharacters: hidden }),
      ...(isCount(truncated) && { truncatedBytes: truncated }),
    }
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

function toAnswer(isTask: boolean, text: ResultText): UpstreamAnswer {
  const result = readResult(text)
  return isTask ? { kind: 'task', task: result, text } : { kind: 'result', result, text }
}

function toError(code: number, message: string, dataText: string | undefined): UpstreamError {
  return {
    kind: 'error',
    code,
    message,
    dataText,
    // Only what ran is kept.
    ran: true,
  }
}

const NOTICE: JsonObject = {
  content: [
    {
      type: 'text',
      text: 'This call already ran under this key and was not repeated. Its result was not kept; look at the system itself for what it did.',
    },
  ],
  // Not a failure of the tool, but clients refuse a result without structuredContent where the tool has an outputSchema, unless it is an error.
  isError: true,
}

/** For a replay whose answer is not there any more: too large to keep, or changed since (then it is not shown, and the call not repeated). */
export const ANSWER_NOT_KEPT: CheckedAnswerFacts = {
  answer: { kind: 'result', result: NOTICE, text: { members: JSON.stringify(NOTICE).slice(1, -1), meta: '' } },
  isError: true,
  withheld: undefined,
}
