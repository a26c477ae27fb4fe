import type { Call, LogLevel, ResultText, Settled } from '../core/model.ts'
import {
  cancelledId,
  checkSessionMethod,
  checkStandardHeaders,
  type Message,
  parseCompletion,
  parsePromptGet,
  parseResourceRead,
  parseSetLevel,
  parseToolCall,
  type RequestMessage,
  sessionMeta,
  writeSessionAnswer,
  writeSessionError,
  writeSessionResult,
} from '../mcp/index.ts'
import { ask } from './ask.ts'
import { askClient } from './ask-client.ts'
import { complete } from './complete.ts'
import type { Admitted } from './enter.ts'
import { enterSession, type InSession } from './enter-session.ts'
import { ACCEPTED, type Reply, replayMeta } from './exchange.ts'
import { initialize } from './initialize.ts'
import { list } from './list.ts'
import { noteMessage } from './note-message.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

/** Log messages for a client that has not said which it wants, as servers of its revision send them (MCP 2025-11-25 server/utilities/logging). */
const UNASKED: LogLevel = 'info'

/** One POST of a caller from before 2026-07-28: the same corridors, with a session around them and answers of its revision. */
export async function handleLegacy(admitted: Admitted, message: Message): Promise<Reply> {
  admitted.era = 'legacy'
  if (message.kind === 'request') noteMessage(admitted, message)
  else if (message.kind === 'notification') admitted.trace.message({ method: message.method, id: undefined, protocolVersion: undefined })
  if (message.kind !== 'response') checkStandardHeaders(admitted.headers, message, false)
  if (message.kind === 'request' && message.method === 'initialize') return initialize(admitted, message)
  const here = await enterSession(admitted)
  const { rooms, principal, session } = here
  switch (message.kind) {
    case 'request':
      return answerRequest(here, message)
    case 'response':
      rooms.limits.admitRequest(principal, 'response')
      await rooms.sessions.answer(session, message.id, message.response)
      return ACCEPTED
    case 'notification': {
      rooms.limits.admitRequest(principal, message.method)
      const id = message.method === 'notifications/cancelled' ? cancelledId(message) : undefined
      if (id !== undefined) await rooms.sessions.cancel(session, id)
      return ACCEPTED
    }
  }
}

async function answerRequest(here: InSession, message: RequestMessage): Promise<Reply> {
  const { rooms, principal, session, headers } = here
  const meta = sessionMeta(message, session, session.logLevel ?? UNASKED)
  noteMessage(here, message, meta)
  switch (checkSessionMethod(message)) {
    case 'tools/call':
      return settle(here, message, parseToolCall(message, meta, headers), call => ask(here, 'tool', call))
    case 'tools/list':
      return answer(message, list(here, 'tool', message))
    case 'prompts/get':
      return settle(here, message, parsePromptGet(message, meta, headers), call => ask(here, 'prompt', call))
    case 'prompts/list':
      return answer(message, list(here, 'prompt', message))
    case 'resources/read':
      return settle(here, message, parseResourceRead(message, meta, headers), call => ask(here, 'resource', call))
    case 'resources/list':
      return answer(message, list(here, 'resource', message))
    case 'resources/templates/list':
      return answer(message, list(here, 'resourceTemplate', message))
    case 'completion/complete': {
      const completion = parseCompletion(message, meta, headers)
      return settle(here, message, completion.call, call => complete(here, { ...completion, call }))
    }
    // As the read that is to be told of (MCP 2025-11-25 server/resources §Subscriptions).
    case 'resources/subscribe':
      await subscribe(here, parseResourceRead(message, meta, headers))
      return answer(message, NOTHING)
    case 'resources/unsubscribe':
      await unsubscribe(here, parseResourceRead(message, meta, headers))
      return answer(message, NOTHING)
    case 'logging/setLevel':
      rooms.limits.admitRequest(principal, message.method)
      await rooms.sessions.setLevel(session, parseSetLevel(message))
      return answer(message, NOTHING)
    case 'ping':
      rooms.limits.admitRequest(principal, message.method)
      return answer(message, NOTHING)
  }
}

const NOTHING: ResultText = { members: '', meta: '' }

function answer(message: RequestMessage, text: ResultText): Reply {
  return { status: 200, body: writeSessionResult(message.id, text) }
}

/** Its client may cancel it by a message to any process, and hear of it again on any; leaving the connection does neither. */
async function settle(here: InSession, { id }: RequestMessage, call: Call, run: (call: Call) => Promise<Settled>): Promise<Reply> {
  const { rooms, principal, session, caller } = here
  caller.keep(session.owner, () => rooms.sessions.openStream(session, id, principal.scopes))
  const stop = rooms.sessions.onCancel(session, id, () => caller.cancel())
  try {
    const settled = await askClient(here, call, run)
    const upstream = settled.outcome.answer
    if (upstream.kind === 'error') return { status: 200, body: writeSessionError(id, call.method, upstream) }
    return { status: 200, body: writeSessionAnswer(id, call.method, upstream.text, session.protocolVersion, replayMeta(settled)) }
  } finally {
    stop()
  }
}
