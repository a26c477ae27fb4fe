import { type ErrorCode, Refusal } from '../../src/core/errors.ts'
import { type JsonDocument, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type { CallHeaders, RequestMeta } from '../../src/core/model.ts'
import { type NotificationMessage, notOne, parseMessage, parseMeta, type RequestMessage } from '../../src/mcp/index.ts'

export { refusalOf } from '../support/refusal.ts'

/** The code a function refuses with, or `undefined` when it does not refuse. */
export function codeOf(run: () => unknown): ErrorCode | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

export function headersOf(pairs: readonly (readonly [name: string, value: string])[]): CallHeaders {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), value])
  }
  return headers
}

/** `rawHeaders` of node:http, which keep two headers of one name apart. */
export function headersFromRaw(raw: readonly string[]): CallHeaders {
  return headersOf(raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [])))
}

/** What a caller without a session may send. */
export function modernMessage(document: JsonDocument): RequestMessage | NotificationMessage {
  const message = parseMessage(document)
  if (message.kind === 'response') throw notOne()
  return message
}

export function messageOf(text: string): RequestMessage | NotificationMessage {
  return modernMessage(parseJsonText(text))
}

export function requestOf(method: string, params: unknown): RequestMessage {
  const message = messageOf(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  if (message.kind !== 'request') throw new Error('not a request')
  return message
}

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const INFO_KEY = 'io.modelcontextprotocol/clientInfo'

/** A complete `_meta`, with further members. */
export function metaOf(more: object = {}): Record<string, unknown> {
  return { [VERSION_KEY]: '2026-07-28', [INFO_KEY]: { name: 'test', version: '1' }, [CAPABILITIES_KEY]: {}, ...more }
}

/** A request whose `params` are this text without its braces; every digit and space of it counts. */
export function requestWith(method: string, paramsText: string): RequestMessage {
  const message = messageOf(`{"jsonrpc":"2.0","id":"7","method":"${method}","params":{${paramsText}}}`)
  if (message.kind !== 'request') throw new Error('not a request')
  return message
}

/** The `_meta` of a caller with these capabilities. */
export function metaDeclaring(capabilities: object = {}): RequestMeta {
  return parseMeta(requestOf('m', { _meta: metaOf({ [CAPABILITIES_KEY]: capabilities }) }).params._meta as JsonObject)
}

export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const NO_HEADERS: CallHeaders = new Map()
