import { ERRORS, type ErrorCode, type PublicDetail, Refusal } from '../../core/errors.ts'
import type { Facts } from '../../core/facts.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonText, writeJson } from '../../core/json.ts'
import type { HeldEnd, LogLevel, RequestId, UpstreamAnswer } from '../../core/model.ts'
import { readResult } from '../../mcp/index.ts'

import type { No } from './held-call.ts'

/** To the process that holds a call. `leg`: where it answers, random. */
export type ToHolder =
  | {
      readonly kind: 'answer'
      readonly leg: string
      /** Which of the call's questions it answers. */
      readonly number: number
      /** JSON of the result. */
      readonly text: string
      readonly progressToken: RequestId | undefined
      readonly logLevel: LogLevel | undefined
    }
  /** Whoever brought that answer has left. */
  | { readonly kind: 'gone'; readonly leg: string }
  /** The question of this number is not put to anybody, and the call ends. */
  | { readonly kind: 'refuse'; readonly leg: string; readonly number: number; readonly no: No }

/** From it, to one leg. */
export type FromHolder =
  | { readonly kind: 'notice'; readonly message: string }
  | { readonly kind: 'step'; readonly answer: UpstreamAnswer; readonly bytes: number }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'ended'; readonly end: HeldEnd | undefined }

export function writeToHolder(message: ToHolder): Buffer {
  return toBytes({ ...message })
}

export function readToHolder(bytes: Buffer): ToHolder | undefined {
  const value = toObject(bytes)
  const { kind, leg, number, text, progressToken, logLevel } = value
  if (typeof leg !== 'string') return undefined
  if (kind === 'gone') return { kind, leg }
  if (typeof number !== 'number') return undefined
  if (kind === 'refuse') return { kind, leg, number, no: value.no === 'decline' ? 'decline' : 'cancel' }
  if (kind !== 'answer' || typeof text !== 'string') return undefined
  const token = typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : undefined
  // Ours, sealed: a level it was when it was written.
  return { kind, leg, number, text, progressToken: token, logLevel: typeof logLevel === 'string' ? (logLevel as LogLevel) : undefined }
}

export function writeFromHolder(message: FromHolder): Buffer {
  switch (message.kind) {
    case 'step':
      return toBytes({ kind: 'step', bytes: message.bytes, ...partsOf(message.answer) })
    case 'refusal': {
      const { code, open, detail } = message.refusal
      return toBytes({ kind: 'refusal', code, open: { ...open } as JsonObject, detail })
    }
    case 'ended':
      return toBytes({ kind: 'ended', end: message.end ?? null })
    case 'notice':
      return toBytes({ ...message })
  }
}

export function readFromHolder(bytes: Buffer): FromHolder | undefined {
  const value = toObject(bytes)
  switch (value.kind) {
    case 'notice':
      return typeof value.message === 'string' ? { kind: 'notice', message: value.message } : undefined
    case 'ended':
      return { kind: 'ended', end: ENDS.find(end => end === value.end) }
    case 'refusal':
      return isErrorCode(value.code)
        ? { kind: 'refusal', refusal: new Refusal(value.code, openOf(value.open), detailOf(value.detail)) }
        : undefined
    case 'step': {
      const { bytes: size } = value
      const answer = answerOf(value)
      return answer === undefined || typeof size !== 'number' ? undefined : { kind: 'step', answer, bytes: size }
    }
    default:
      return undefined
  }
}

const ENDS: readonly HeldEnd[] = ['none', 'not_started', 'committed', 'unknown']

function partsOf(answer: UpstreamAnswer): JsonObject {
  switch (answer.kind) {
    case 'error': {
      const { code, message, dataText, ran } = answer
      return { answer: 'error', code, message, ran, ...(dataText === undefined ? {} : { dataText }) }
    }
    case 'input_required':
      return { answer: 'input_required', inputRequests: answer.inputRequests, state: answer.requestState ?? '' }
    case 'result':
      return { answer: 'result', members: answer.text.members, meta: answer.text.meta }
    case 'task':
      throw new TypeError('no server of an earlier revision begins a task of today')
  }
}

function answerOf(parts: JsonObject): UpstreamAnswer | undefined {
  const { answer, members, meta, code, message, dataText, ran, inputRequests, state } = parts
  if (answer === 'result') {
    if (typeof members !== 'string' || typeof meta !== 'string') return undefined
    return { kind: 'result', result: readResult({ members, meta }), text: { members, meta } }
  }
  if (answer === 'error') {
    if (typeof code !== 'number' || typeof message !== 'string' || typeof ran !== 'boolean') return undefined
    return { kind: 'error', code, message, ran, dataText: typeof dataText === 'string' ? dataText : undefined }
  }
  if (inputRequests === undefined || !isJsonObject(inputRequests) || typeof state !== 'string') return undefined
  return { kind: 'input_required', inputRequests, requestState: state, text: { members: '', meta: '' } }
}

function isErrorCode(code: Json | undefined): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

/** Both were a refusal's, on a process of ours. */
function openOf(open: Json | undefined): PublicDetail {
  return open !== undefined && isJsonObject(open) ? (open as PublicDetail) : {}
}

function detailOf(detail: Json | undefined): Facts {
  return detail !== undefined && isJsonObject(detail) ? (detail as Facts) : {}
}

function toBytes(value: object): Buffer {
  return Buffer.from(writeJson(value as JsonObject))
}

function toObject(bytes: Buffer): JsonObject {
  const { value } = parseJsonText(bytes.toString())
  return isJsonObject(value) ? value : {}
}
