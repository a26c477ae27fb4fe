import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/core/model.ts'
import { parseCapabilities } from '../../../src/mcp/index.ts'
import type { HeldCalls, Upstream } from '../../../src/upstream/index.ts'
import type { Pending } from '../../../src/upstream/legacy/pending.ts'
import { Requests } from '../../../src/upstream/legacy/requests.ts'
import type { FinalStep, RunningCall, ServerQuestion } from '../../../src/upstream/running-call.ts'
import { eventually } from '../../support/eventually.ts'
import {
  beginStream,
  type LegacySeen,
  type LegacyStub,
  type LegacyStubOptions,
  legacyText,
  startLegacyStub,
  writeLegacyEvent,
} from '../../support/legacy-stub.ts'
import type { Item } from '../../support/upstream-stub.ts'
import { configOf, createCaller, createRoom, type IntentShape, intentOf } from '../room.ts'

let stub: LegacyStub
let room: Upstream
let asked: ServerQuestion[]
/** Runs when a question has been taken; the call goes on behind it. */
let onQuestion: (run: RunningCall, question: ServerQuestion) => Promise<void>

/** Takes every question that a call brings, and answers it. */
const TAKER = {
  async follow(run: RunningCall): Promise<FinalStep> {
    for (let step = await run.next(); ; step = await run.next()) {
      if (step.kind === 'answer') return step
      asked.push(step)
      await onQuestion(run, step)
    }
  },
  isHeld: () => false,
} as Pick<HeldCalls, 'follow' | 'isHeld'> as HeldCalls

const ACCEPT = '{"action":"accept","content":{}}'

async function start(options: LegacyStubOptions = {}, config: Parameters<typeof configOf>[1] = {}): Promise<void> {
  stub = await startLegacyStub(options)
  const questions = { form: true, url: false, sampling: true, roots: false, urlHosts: [] }
  room = createRoom(configOf(stub.url, { era: 'legacy', questions, ...config }), { held: TAKER })
}
beforeEach(async () => {
  asked = []
  onQuestion = (run, question) => run.respond(question, { kind: 'result', text: ACCEPT })
  await start()
})
afterEach(async () => {
  await room.abort()
  await stub.close()
})
async function restart(...args: Parameters<typeof start>): Promise<void> {
  await room.abort()
  await stub.close()
  await start(...args)
}

const FORMS: IntentShape = { capabilities: parseCapabilities({ elicitation: {} }) }
const send = (shape: IntentShape = FORMS): Promise<Answer> => room.send(intentOf(shape), createCaller())
const question = (id: string, method = 'elicitation/create'): Item => ({ id, method, params: { message: 'Sure?' } })
const finish = (seen: LegacySeen, response: ServerResponse): void => {
  writeLegacyEvent(response, { jsonrpc: '2.0', id: seen.message.id, result: legacyText('done') })
  response.end()
}
const answersTo = (id: string): readonly unknown[] =>
  stub
    .of('response')
    .filter(({ message }) => message.id === id)
    .map(({ message: { result, error } }) => result ?? error?.code)

describe('a question on a call’s own stream', () => {
  it('belongs to it; its answer goes to the session, and the call goes on', async () => {
    stub.onCall = async (seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, { jsonrpc: '2.0', ...question('a') })
      await eventually(() => answersTo('a').length === 1)
      finish(seen, response)
    }
    expect((await send()).answer).toMatchObject({ kind: 'result', result: legacyText('done') })
    expect(asked).toEqual([{ kind: 'question', id: 'a', method: 'elicitation/create', params: { message: 'Sure?' } }])
    expect(answersTo('a')).toEqual([{ action: 'accept', content: {} }])
    expect(stub.of('initialize')[0]?.message.params?.capabilities).toEqual({ elicitation: { form: {} } })
  })

  it('of a kind that was not offered is refused', async () => {
    stub.onCall = async (seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, { jsonrpc: '2.0', ...question('s', 'sampling/createMessage') })
      await eventually(() => answersTo('s').length === 1)
      finish(seen, response)
    }
    await send()
    expect(asked).toEqual([])
    expect(answersTo('s')).toEqual([-32601])
  })

  it('waits behind those before it, and is refused where too many wait or the answer has come', async () => {
    onQuestion = async (run, step) => {
      if (step.id === 'q0') await eventually(() => answersTo('q5').length === 1)
      await run.respond(step, { kind: 'error', code: -1, message: 'no' })
    }
    stub.onCall = async (seen, response) => {
      beginStream(response)
      for (let count = 0; count < 6; count += 1) writeLegacyEvent(response, { jsonrpc: '2.0', ...question(`q${count}`) })
      await eventually(() => stub.of('response').length === 6)
      writeLegacyEvent(response, { jsonrpc: '2.0', id: seen.message.id, result: legacyText('done') })
      writeLegacyEvent(response, { jsonrpc: '2.0', ...question('late') })
      response.end()
    }
    await send()
    expect(asked.map(({ id }) => id)).toEqual(['q0', 'q1', 'q2', 'q3', 'q4'])
    expect(answersTo('q5')).toEqual([-32603])
    await eventually(() => answersTo('late').length === 1)
    expect(answersTo('late')).toEqual([-32603])
  })

  it('is refused while half of the connections wait for somebody', async () => {
    await restart({}, { maxConnections: 5 })
    let answerAll = (): void => {}
    const thought = new Promise<void>(resolve => {
      answerAll = resolve
    })
    onQuestion = async (run, step) => {
      await thought
      await run.respond(step, { kind: 'result', text: ACCEPT })
    }
    stub.onCall = async (seen, response) => {
      const id = `c${String(seen.message.id)}`
      beginStream(response)
      writeLegacyEvent(response, { jsonrpc: '2.0', ...question(id) })
      await eventually(() => answersTo(id).length === 1)
      finish(seen, response)
    }
    const held = [send(), send()]
    await eventually(() => asked.length === 2)
    await send()
    expect(stub.of('response').map(({ message }) => message.error?.code)).toEqual([-32603])
    answerAll()
    await Promise.all(held)
    // Their places are free again.
    await send()
    expect(asked).toHaveLength(3)
  })

  it('stops the clocks while a person thinks', async () => {
    await restart({}, { streamIdleMs: 1_000, timeoutMs: 1_500 })
    onQuestion = async (run, step) => {
      run.hold(true)
      await new Promise(resolve => setTimeout(resolve, 2_000))
      run.hold(false)
      await run.respond(step, { kind: 'result', text: ACCEPT })
    }
    stub.onCall = async (seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, { jsonrpc: '2.0', ...question('a') })
      await eventually(() => answersTo('a').length === 1)
      finish(seen, response)
    }
    expect((await send()).answer.kind).toBe('result')
  })
})

describe('a question on the GET stream', () => {
  /** What the official SDK does with questions unless it is told which request they belong to. */
  const askAside =
    (id: string) =>
    async (seen: LegacySeen, response: ServerResponse): Promise<void> => {
      beginStream(response)
      stub.notify(question(id))
      await eventually(() => answersTo(id).length === 1)
      finish(seen, response)
    }

  it('belongs to the only call of that person’s session', async () => {
    stub.onCall = askAside('a')
    await send()
    expect(asked.map(({ id }) => id)).toEqual(['a'])
    expect(answersTo('a')).toEqual([{ action: 'accept', content: {} }])
    expect(stub.of('GET')).toHaveLength(1)
  })

  it('is nobody’s while two are under way', async () => {
    stub.onCall = async (seen, response) => {
      const isFirst = stub.of('tools/call').length === 1
      await eventually(() => stub.of('tools/call').length === 2)
      if (isFirst) return askAside('b')(seen, response)
      beginStream(response)
      await eventually(() => answersTo('b').length === 1)
      finish(seen, response)
    }
    await Promise.all([send(), send()])
    expect(asked).toEqual([])
    expect(answersTo('b')).toEqual([-32603])
  })

  it('is nobody’s where others share the session', async () => {
    await restart({}, { sessions: 'shared' })
    let hasAsked = false
    stub.onCall = async (seen, response) => {
      beginStream(response)
      stub.notify(question('a'))
      hasAsked = true
      finish(seen, response)
    }
    await send()
    expect(hasAsked).toBe(true)
    expect(asked).toEqual([])
    expect(stub.of('GET')).toEqual([])
  })

  it('belongs to the next call of a person who has given the one before up', async () => {
    const caller = createCaller()
    stub.onCall = (_seen, response) => beginStream(response)
    const left = room.send(intentOf({ ...FORMS, effect: 'read' }), caller).catch((error: unknown) => error)
    await eventually(() => stub.of('tools/call').length === 1)
    caller.leave()
    await left
    stub.onCall = askAside('next')
    await send()
    expect(asked.map(({ id }) => id)).toEqual(['next'])
  })

  it('is nobody’s between calls', async () => {
    await send()
    stub.notify(question('idle'))
    await eventually(() => answersTo('idle').length === 1)
    expect(answersTo('idle')).toEqual([-32603])
  })

  it('is not listened for where nothing was offered, and not waited for where there is none', async () => {
    await send({})
    expect(stub.of('GET')).toEqual([])
    await restart({ channel: false })
    expect((await send()).answer.kind).toBe('result')
    expect(stub.of('GET')).toHaveLength(1)
  })

  it('with the session lost there leaves the call under way alone, and the next call begins anew', async () => {
    stub.onCall = async (seen, response) => {
      beginStream(response)
      stub.sessions.clear()
      stub.drop()
      await eventually(() => stub.of('GET').length > 1)
      finish(seen, response)
    }
    expect((await send()).answer.kind).toBe('result')
    stub.onCall = () => legacyText('again')
    expect((await send()).answer).toMatchObject({ kind: 'result', result: legacyText('again') })
    expect(stub.of('initialize')).toHaveLength(2)
  })
})

it('sessions are by what was offered too: who can answer nothing is in another', async () => {
  await send(FORMS)
  await send({})
  await send({ capabilities: parseCapabilities({ elicitation: {}, roots: {} }) })
  expect(stub.of('initialize').map(({ message }) => message.params?.capabilities)).toEqual([{ elicitation: { form: {} } }, {}])
})

it('beside all streams a late word about what another person has given up is nobody’s', () => {
  const requests = new Requests()
  const call = (person: string | undefined): Pending => ({ person }) as Pending
  const mine = call('me')
  requests.add(1, mine)
  requests.add(2, call(undefined))
  expect(requests.only()).toBe(mine)
  requests.abandon(7, 'me', 60_000)
  expect(requests.only()).toBe(mine)
  requests.abandon(8, 'somebody else', 60_000)
  expect(requests.only()).toBeUndefined()
  // Its answer came after all.
  requests.take(8)
  expect(requests.only()).toBe(mine)
  requests.add(3, call('me'))
  expect(requests.only()).toBeUndefined()
})
