import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import {
  type CallSetting,
  callOf,
  checkedAnswer,
  checkedCall,
  endpointOf,
  intentOf,
  openRoom,
  principalOf,
  type Room,
  refusalOf,
  taskAnswer,
  taskIdFor,
  textOf,
} from './room.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const openTask = ({ state }: Room, sealedId: string, setting: CallSetting = {}, endpoint = endpointOf()) =>
  state.openTask(endpoint, principalOf(setting), callOf({ method: 'tasks/get', ...setting, name: sealedId }))

describe('a task id', () => {
  it('stands in the place of the upstream’s, everywhere, and everything else is as it was written', () => {
    const { state } = openRoom()
    const answer = checkedAnswer({
      kind: 'task',
      task: { taskId: 't-1', status: 'working', ttlMs: 60_000, statusMessage: 'see t-1' },
      text: { members: '"status":"working", "\\u0074askId" : "t-1","ttlMs":60000,"statusMessage":"see t-1"', meta: '"x":1' },
    })
    const sealed = state.seal(endpointOf(), intentOf(checkedCall()), answer).answer
    if (sealed.kind !== 'task') throw new Error('no task')
    const { taskId } = sealed.task
    expect(taskId).toMatch(/^w1\.[\w-]{8}\.[\w-]+$/)
    expect(sealed.text.members).toBe(`"status":"working", "\\u0074askId" : "${taskId}","ttlMs":60000,"statusMessage":"see t-1"`)
    expect(sealed.text.meta).toBe('"x":1')
  })

  it('leads its caller to the upstream’s own, and to the tool by the name callers use', () => {
    const room = openRoom()
    const sealedId = taskIdFor(room)
    const call = callOf({ method: 'tasks/cancel', name: sealedId })
    const opened = openRoom({ clock: room.clock }).state.openTask(endpointOf(), principalOf(), call)
    expect(opened).toEqual({ call: { ...call, task: { sealedId, upstreamId: 't-1' } }, toolName: 'tickets__create', variant: 'shared' })
  })

  it.each<[what: string, other: CallSetting, reason: string]>([
    ['another subject', { subject: 'bob' }, 'principal'],
    ['another client', { clientId: 'c2' }, 'principal'],
    ['another protocol version', { protocolVersion: '2027-01-01' }, 'seal'],
  ])('is nothing to %s', (_what, other, reason) => {
    const room = openRoom()
    const { code, open, detail } = refusalOf(() => openTask(room, taskIdFor(room), other))
    expect([code, open, detail]).toEqual(['STATE_INVALID', { notProcessed: true }, { reason }])
  })

  it('is nothing at another endpoint, nor is the upstream’s own id anything', () => {
    const room = openRoom()
    expect(refusalOf(() => openTask(room, taskIdFor(room), {}, endpointOf('https://gateway.test/other'))).code).toBe('STATE_INVALID')
    expect(refusalOf(() => openTask(room, 't-1')).code).toBe('STATE_INVALID')
  })

  it('outlives a change of policy and of the tool, which are judged anew', () => {
    const room = openRoom()
    const sealedId = taskIdFor(room)
    const task = { sealedId, upstreamId: 't-1' }
    const checked = checkedCall({ method: 'tasks/get', name: sealedId, task, revision: 'fedcba9876543210', pin: 'p1:0' })
    expect(room.state.resume(endpointOf(), checked)).toEqual({ checked, leg: undefined })
  })

  it.each<[what: string, other: CallSetting]>([
    ['upstream', { alias: 'crm' }],
    ['tool', { tool: 'delete' }],
    ['variant', { variant: 'acme' }],
  ])('does not lead to another %s that has its tool’s name by now', (what, other) => {
    const room = openRoom()
    const sealedId = taskIdFor(room, { exposedName: 'create' })
    const checked = checkedCall({
      method: 'tasks/get',
      name: sealedId,
      task: { sealedId, upstreamId: 't-1' },
      exposedName: 'create',
      ...other,
    })
    expect(refusalOf(() => room.state.resume(endpointOf(), checked)).detail).toEqual({ reason: what === 'variant' ? what : 'target' })
  })

  it.each<[ttlMs: unknown, goodForMs: number]>([
    [5 * HOUR_MS, 5 * HOUR_MS],
    // The server may lengthen it later, and the id stays the same.
    [1000, HOUR_MS],
    [null, 30 * DAY_MS],
    [undefined, 30 * DAY_MS],
    [365 * DAY_MS, 30 * DAY_MS],
  ])('of a task with ttlMs %s is good for %d ms', (ttlMs, goodForMs) => {
    const room = openRoom()
    const sealedId = taskIdFor(room, {}, { ttlMs } as JsonObject)
    room.clock.advance(goodForMs - 1)
    expect(openTask(room, sealedId).toolName).toBe('tickets__create')
    room.clock.advance(1)
    expect(refusalOf(() => openTask(room, sealedId)).detail).toEqual({ reason: 'expired' })
  })

  it.each<[what: string, taskId: unknown, reason: string]>([
    ['is missing', undefined, 'task_id'],
    ['is no text', 7, 'task_id'],
    ['would not fit into a header', 'x'.repeat(3000), 'task_id_size'],
  ])('of an upstream that %s makes the answer invalid', (_what, taskId, reason) => {
    const { state } = openRoom()
    const refusal = refusalOf(() => state.seal(endpointOf(), intentOf(checkedCall()), taskAnswer({ taskId } as JsonObject)))
    expect(refusal).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason } })
  })
})

describe('an answer about a task', () => {
  const room = openRoom()
  const task = { sealedId: taskIdFor(room), upstreamId: 't-1' }
  const intent = intentOf(checkedCall({ method: 'tasks/get', name: task.sealedId, task }))

  it('names the task as the caller knows it', () => {
    const result: JsonObject = { status: 'completed', taskId: 't-1', result: { taskId: 't-1', content: [] } }
    const { answer } = room.state.seal(
      endpointOf(),
      intent,
      checkedAnswer({ kind: 'result', result, text: { members: textOf(result), meta: '' } }),
    )
    const expected = { ...result, taskId: task.sealedId }
    expect(answer.kind === 'result' && [answer.result, JSON.parse(`{${answer.text.members}}`)]).toEqual([expected, expected])
  })

  it.each([
    checkedAnswer({ kind: 'result', result: {}, text: { members: '', meta: '' } }),
    checkedAnswer({ kind: 'error', code: -32602, message: 'no such task', dataText: undefined, ran: true }),
  ])('that names none passes as the same object: %j', answer => {
    expect(room.state.seal(endpointOf(), intent, answer)).toBe(answer)
  })
})
