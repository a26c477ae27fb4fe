import { Refusal } from '../core/errors.ts'
import type { RequestMessage } from './message.ts'

/** What a request of a session may ask, behind its `initialize` (MCP 2025-11-25 schema §ClientRequest). Its tasks were an experiment, and are not offered. */
const METHODS = [
  'ping',
  'tools/call',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
] as const

export type SessionMethod = (typeof METHODS)[number]

const KNOWN: ReadonlySet<string> = new Set(METHODS)

/** The method, when sessions have it; anything else throws MCP_METHOD_NOT_FOUND. */
export function checkSessionMethod({ method }: RequestMessage): SessionMethod {
  if (!KNOWN.has(method)) throw new Refusal('MCP_METHOD_NOT_FOUND')
  return method as SessionMethod
}
