import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { type AnswerTo, type NotificationScope, parseResponse, relayNotification } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const ASKED: NotificationScope = { upstreamToken: 'ours', callerToken: 1, logLevel: 'info' }
const NOT_ASKED: NotificationScope = { upstreamToken: undefined, callerToken: undefined, logLevel: undefined }

function relay(method: string, params: string, scope = ASKED, answerTo: AnswerTo = 'tools/call'): string | undefined {
  const message = parseResponse(parseJsonText(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`), 1, answerTo)
  if (message.kind !== 'notification') throw new Error('not a notification')
  return relayNotification(message, scope)
}

describe('progress', () => {
  it('reaches the caller under the caller’s token, as it was written', () => {
    expect(
      relay(
        'notifications/progress',
        '{"message":"50 \\u20ac","total":1.0e2,"extra":1,"progress":12345678901234567890,"progressToken":"ours"}',
      ),
    ).toBe(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":12345678901234567890,"total":1.0e2,"message":"50 \\u20ac"}}',
    )
  })

  it('carries third-party _meta', () => {
    const text = relay(
      'notifications/progress',
      '{"progressToken":"ours","progress":1,"_meta":{"com.example/a":1,"io.modelcontextprotocol/subscriptionId":2}}',
    )
    expect(text).toContain('"progress":1,"_meta":{"com.example/a":1}}')
  })

  it.each([
    ['A-99 another token', '{"progressToken":"theirs","progress":1}', ASKED],
    ['the caller’s own token', '{"progressToken":1,"progress":1}', ASKED],
    ['no token', '{"progress":1}', ASKED],
    ['progress nobody asked for', '{"progressToken":"ours","progress":1}', NOT_ASKED],
    ['no token, and nobody asked', '{"progress":1}', NOT_ASKED],
    ['no token, where we gave none', '{"progress":1}', { ...ASKED, upstreamToken: undefined }],
    ['no progress', '{"progressToken":"ours"}', ASKED],
    ['progress as a string', '{"progressToken":"ours","progress":"1"}', ASKED],
    ['a total that is null', '{"progressToken":"ours","progress":1,"total":null}', ASKED],
    ['a message that is an object', '{"progressToken":"ours","progress":1,"message":{}}', ASKED],
  ])('%s is refused', (_, params, scope) => {
    expect(refusalOf(() => relay('notifications/progress', params, scope)).code).toBe('UPSTREAM_INVALID')
  })
})

const CALLS: readonly AnswerTo[] = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
]

describe.each(CALLS)('on the stream of %s', method => {
  it('progress and log messages are the same, and nothing else belongs there [REQ-STREAM-RELATED]', () => {
    expect(relay('notifications/progress', '{"progressToken":"ours","progress":0.5}', ASKED, method)).toContain('"progressToken":1')
    expect(relay('notifications/message', '{"level":"error","data":{}}', ASKED, method)).toContain('"level":"error"')
    for (const other of ['tasks', 'subscriptions/acknowledged', 'tools/list_changed', 'resources/updated', 'elicitation/complete']) {
      expect(refusalOf(() => relay(`notifications/${other}`, '{}', ASKED, method)).detail).toEqual({ reason: 'notification' })
    }
  })
})

describe('log messages', () => {
  it('reach a caller who asked for their level', () => {
    expect(relay('notifications/message', '{"level":"error","data":{ "n":1.50 },"logger":"db","x":1}')).toBe(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"db","data":{ "n":1.50 }}}',
    )
    expect(relay('notifications/message', '{"level":"info","data":null}')).toContain('"data":null')
  })

  it('are dropped when they are below it, or nobody asked [REQ-LOG-UNASKED]', () => {
    expect(relay('notifications/message', '{"level":"debug","data":1}')).toBeUndefined()
    expect(relay('notifications/message', '{"level":"emergency","data":1}', NOT_ASKED)).toBeUndefined()
  })

  it.each(['{"level":"loud","data":1}', '{"data":1}', '{"level":"error"}', '{"level":"error","data":1,"logger":7}'])(
    '%s is refused',
    params => {
      expect(refusalOf(() => relay('notifications/message', params)).code).toBe('UPSTREAM_INVALID')
    },
  )
})

it.each(['notifications/tools/list_changed', 'notifications/cancelled', 'notifications/resources/updated', 'notifications/Progress', 'x'])(
  'A-99 %s does not belong to a call',
  method => {
    expect(refusalOf(() => relay(method, '{}')).detail).toEqual({ reason: 'notification' })
  },
)
