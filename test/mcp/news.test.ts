import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { parseNews } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const OURS = '"_meta":{"io.modelcontextprotocol/subscriptionId":7}'
const read = (text: string, id: string | number = 7) => parseNews(parseJsonText(text), id)
const notice = (method: string, params: string) => `{"jsonrpc":"2.0","method":"notifications/${method}","params":{${params}}}`

describe('on the stream of a subscription', () => {
  it.each<[string, string, unknown]>([
    ['the acknowledgment', notice('subscriptions/acknowledged', `${OURS},"notifications":{}`), 'acknowledged'],
    ['a change of tools', notice('tools/list_changed', OURS), { kind: 'list_changed', list: 'tools' }],
    ['a change of prompts', notice('prompts/list_changed', OURS), { kind: 'list_changed', list: 'prompts' }],
    ['a change of resources', notice('resources/list_changed', OURS), { kind: 'list_changed', list: 'resources' }],
    ['a resource that changed', notice('resources/updated', `"uri":"file:///a",${OURS}`), { kind: 'resource_updated', uri: 'file:///a' }],
    ['a task that goes on', notice('tasks', `"taskId":"t","status":"odd",${OURS}`), { kind: 'task', taskId: 't' }],
    ['the end', '{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}', 'ended'],
    ['progress, which has no place here', notice('progress', `${OURS},"progressToken":1,"progress":1`), undefined],
    ['a log message, likewise', notice('message', `${OURS},"level":"info","data":1`), undefined],
    ['what we do not know', notice('com.example/x', ''), undefined],
    ['a name on every object', '{"jsonrpc":"2.0","method":"constructor"}', undefined],
  ])('%s', (_, text, news) => {
    expect(read(text)).toEqual(news)
  })

  it('ids are compared as they are', () => {
    expect(
      read(
        '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"7"}}}',
        '7',
      ),
    ).toEqual({
      kind: 'list_changed',
      list: 'tools',
    })
  })

  it.each<[string, string, object]>([
    [
      'news of another subscription',
      notice('tools/list_changed', '"_meta":{"io.modelcontextprotocol/subscriptionId":8}'),
      { reason: 'subscription' },
    ],
    [
      'an id of another type',
      notice('tools/list_changed', '"_meta":{"io.modelcontextprotocol/subscriptionId":"7"}'),
      { reason: 'subscription' },
    ],
    ['news of no subscription', notice('tools/list_changed', ''), { reason: 'subscription' }],
    ['an acknowledgment of another', notice('subscriptions/acknowledged', '"notifications":{},"_meta":{}'), { reason: 'subscription' }],
    ['_meta that is a list', notice('tools/list_changed', '"_meta":[]'), { reason: 'subscription' }],
    ['a resource without a URI', notice('resources/updated', OURS), { reason: 'uri' }],
    ['a URI that is a number', notice('resources/updated', `"uri":1,${OURS}`), { reason: 'uri' }],
    ['a task without an id', notice('tasks', `"status":"working",${OURS}`), { reason: 'task_id' }],
    ['a request', '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}', { reason: 'server_request' }],
    ['a request that asks how we are', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { reason: 'server_request' }],
    ['the end of another', '{"jsonrpc":"2.0","id":8,"result":{}}', { reason: 'id' }],
    ['questions', '{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{}}}', { reason: 'input_required' }],
    ['an error', '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}}', { reason: 'error', rpc: -32603 }],
    ['a batch', '[]', { reason: 'batch' }],
  ])('%s: refused', (_, text, detail) => {
    const refusal = refusalOf(() => read(text))
    expect(refusal.code).toBe('UPSTREAM_INVALID')
    expect(refusal.detail).toEqual(detail)
  })
})
