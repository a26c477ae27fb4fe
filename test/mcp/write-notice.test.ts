import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseListen,
  subscriptionMeta,
  writeAcknowledged,
  writeListChanged,
  writeResourceUpdated,
  writeResultResponse,
  writeTaskNotice,
} from '../../src/mcp/index.ts'
import { metaDeclaring, requestOf, TASKS } from './support.ts'

const FILTER = { tools: false, prompts: false, resources: false, uris: [], taskIds: [] }
const META = '"_meta":{"io.modelcontextprotocol/subscriptionId":"listen-1"}'
const notice = (method: string, members: string) => `{"jsonrpc":"2.0","method":"notifications/${method}","params":{${META}${members}}}`

describe('what a subscription is told', () => {
  it('[REQ-SUBSCRIPTIONS-ACK] that it stands, and for what: only what is honoured is there', () => {
    expect(writeAcknowledged('listen-1', FILTER)).toBe(notice('subscriptions/acknowledged', ',"notifications":{}'))
    expect(writeAcknowledged('listen-1', { ...FILTER, tools: true, uris: ['file:///project/config.json'] })).toBe(
      notice(
        'subscriptions/acknowledged',
        ',"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///project/config.json"]}',
      ),
    )
  })

  it('an acknowledged filter asks for itself', () => {
    const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 })
    const filters = fc.record({ tools: fc.boolean(), prompts: fc.boolean(), resources: fc.boolean(), uris: texts, taskIds: texts })
    fc.assert(
      fc.property(filters, filter => {
        const { params } = JSON.parse(writeAcknowledged(1, filter))
        expect(parseListen(requestOf('subscriptions/listen', params), metaDeclaring(TASKS))).toEqual(filter)
      }),
    )
  })

  it.each(['tools', 'prompts', 'resources'] as const)('that its %s have changed', list => {
    expect(writeListChanged('listen-1', list)).toBe(notice(`${list}/list_changed`, ''))
  })

  it('that a resource has changed', () => {
    expect(writeResourceUpdated('listen-1', 'docs+file:///a"b')).toBe(notice('resources/updated', ',"uri":"docs+file:///a\\"b"'))
  })

  it('how a task stands, as the upstream wrote it, under the id the caller knows', () => {
    const text = '"status":"completed","ttlMs":12345678901234567890, "result":{"content":[]}'
    expect(writeTaskNotice('listen-1', 'w1.t', text)).toBe(notice('tasks', `,"taskId":"w1.t",${text}`))
    expect(writeTaskNotice('listen-1', 'w1.t', '')).toBe(notice('tasks', ',"taskId":"w1.t"'))
  })

  it('[REQ-SUBSCRIPTIONS-ID] always under the id of the request that began it, of its own type', () => {
    for (const id of ['', '1', 1, 0, -7, 'a"b\\c\u2028', Number.MAX_SAFE_INTEGER]) {
      const texts = [
        writeAcknowledged(id, FILTER),
        writeListChanged(id, 'tools'),
        writeResourceUpdated(id, 'a:b'),
        writeTaskNotice(id, 't', ''),
      ]
      for (const text of texts) expect(JSON.parse(text).params._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': id })
      const last = JSON.parse(writeResultResponse(id, { members: '', meta: subscriptionMeta(id) }))
      expect(last).toMatchObject({ id, result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': id } } })
    }
  })
})
