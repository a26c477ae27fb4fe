import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResumedCall, ResumedEnding, Session, StreamLog } from '../../src/sessions/session.ts'
import { readEntry, writeEntry } from '../../src/sessions/stream-entry.ts'
import { openProcess, type Process, sessionOf, twoProcesses } from './streams.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] }))
afterEach(() => vi.useRealTimers())

const SCOPES = new Set(['tools:read', 'tools:write'])
const here = sessionOf()
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

function open({ streams }: Process, session: Session = here): StreamLog {
  return streams.openStream(session, 'mine', SCOPES)
}

function resumed({ streams }: Process, eventId: string | undefined, session: Session = here): ResumedCall {
  const found = streams.resume(session, eventId ?? '')
  if (found?.kind !== 'call') throw new Error('no such stream')
  return found
}

interface Reading {
  readonly heard: string[]
  readonly ids: string[]
  readonly ending: () => ResumedEnding | undefined
  leave(): void
}

function read(process: Process, eventId: string | undefined): Reading {
  const heard: string[] = []
  const ids: string[] = []
  const leaving = new AbortController()
  let ending: ResumedEnding | undefined
  resumed(process, eventId)
    .follow((id, message) => {
      heard.push(message)
      ids.push(id)
    }, leaving.signal)
    .then(end => {
      ending = end
    })
  return { heard, ids, ending: () => ending, leave: () => leaving.abort() }
}

describe('what is said on a stream', () => {
  it('is heard again behind any event of it, on any process, while it goes on and after its end', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    const ids = [log.start, ...['one', 'two', 'three'].map(text => log.keep(`"${text}"`))]
    await settle()
    const all = ids.map(id => read(b, id))
    await settle()
    // Only the last reader still reads.
    expect(all.map(({ heard }) => heard.length)).toEqual([3, 2, 1, 0])
    const last = all.at(-1)
    ids.push(log.keep('"four"'))
    ids.push(log.end('"final"'))
    await settle()
    expect(last).toMatchObject({ heard: ['"four"', '"final"'], ids: ids.slice(-2) })
    expect(all.map(({ ending }) => ending())).toEqual(['left', 'left', 'left', 'over'])
    const again = read(a, log.start)
    await settle()
    expect(again.heard).toEqual(['"one"', '"two"', '"three"', '"four"', '"final"'])
    expect(again.ids).toEqual(ids.slice(1))
    expect(await resumed(b, ids.at(-1)).look()).toEqual({ scopes: [...SCOPES], isOver: true })
    expect(await resumed(b, ids.at(-2)).look()).toEqual({ scopes: [...SCOPES], isOver: false })
  })

  it('begins with an id of its own only where the revision has events without data', () => {
    const { a } = twoProcesses()
    expect(open(a).start).toMatch(/\.0$/)
    for (const protocolVersion of ['2025-06-18', '2025-03-26']) expect(open(a, sessionOf({ protocolVersion })).start).toBeUndefined()
  })

  it('stays together, whatever signs it has', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    const messages = ['{"a":"\\u0000\\n"}', '{\n"b": 1}', '{"c":"🦊 ä"}', '"more"', '"last"']
    for (const message of messages) log.keep(message)
    log.end(undefined)
    await settle()
    const reading = read(b, log.start)
    await settle()
    expect(reading).toMatchObject({ heard: messages })
    // Cancelled: there is no final response, and none is waited for.
    expect(reading.ending()).toBe('over')
  })

  it('tells who says it when somebody reads it elsewhere, and goes on to one reader alone', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    let taken = 0
    log.onResumed(() => {
      taken += 1
    })
    await settle(2_000)
    expect(taken).toBe(0)
    const first = read(b, log.start)
    await settle()
    expect(taken).toBeGreaterThan(0)
    const second = read(a, log.start)
    await settle()
    expect(first.ending()).toBe('left')
    log.keep('"x"')
    await settle()
    expect([first.heard, second.heard]).toEqual([[], ['"x"']])
    // Whoever waits for a reader knows that one is there for as long as one is.
    const before = taken
    await settle(61_000)
    expect(taken).toBeGreaterThan(before)
    log.end(undefined)
  })

  it('is not taken back by a connection that is stuck', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    await settle(2_000)
    const stuck = new AbortController()
    void resumed(b, log.start).follow(() => new Promise(() => {}), stuck.signal)
    log.keep('"x"')
    await settle()
    const second = read(a, log.start)
    await settle(130_000)
    expect(second.ending()).toBeUndefined()
    log.end('"final"')
    await settle()
    expect(second.heard).toEqual(['"x"', '"final"'])
  })

  it('is kept for five minutes after the last of it, however long it is silent before that', async () => {
    const { a, b, clock } = twoProcesses()
    const log = open(a)
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(1_000)
        await settle(1_000)
      }
    }
    await pass(900_000)
    expect(await resumed(b, log.start).look()).toMatchObject({ isOver: false })
    log.end('"final"')
    await settle()
    clock.advance(299_000)
    expect(await resumed(b, log.start).look()).toBeDefined()
    clock.advance(2_000)
    const looked = resumed(b, log.start).look()
    await pass(10_000)
    expect(await looked).toBeUndefined()
  })

  it('ends its timers and watches with its stream', async () => {
    const { a } = twoProcesses()
    const logs = Array.from({ length: 50 }, () => open(a))
    await settle(6_000)
    expect(vi.getTimerCount()).toBe(50)
    for (const log of logs) log.end('"final"')
    await settle()
    expect(vi.getTimerCount()).toBe(0)
    const reading = read(a, open(a).start)
    await settle()
    reading.leave()
    await settle()
    expect(reading.ending()).toBe('left')
  })
})

describe('what is written late', () => {
  it('is waited for a little by who comes back before that', async () => {
    const { a, b, clock } = twoProcesses()
    a.way.fail = 'lost'
    const log = open(a)
    const looked = resumed(b, log.start).look()
    await settle(500)
    a.way.fail = 'not'
    clock.advance(1_000)
    await settle(1_000)
    expect(await looked).toEqual({ scopes: [...SCOPES], isOver: false })
    log.end(undefined)
  })

  it('is waited for by a process that ends, for a second at most', async () => {
    const { a } = twoProcesses()
    await a.streams.settled()
    const [log, other] = [open(a), open(a)]
    await settle()
    a.way.fail = 'lost'
    log.end('"final"')
    other.end(undefined)
    let isSettled = false
    void a.streams.settled().then(() => {
      isSettled = true
    })
    await settle(500)
    expect(isSettled).toBe(false)
    a.way.fail = 'not'
    await settle(400)
    expect(isSettled).toBe(true)
    a.way.fail = 'lost'
    open(a).end('"final"')
    const never = a.streams.settled()
    await settle(1_000)
    await never
  })
})

describe('what is too much', () => {
  it('is said to who is there and not kept; the final response is', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    const ids = Array.from({ length: 1_100 }, (_, index) => log.keep(`${index}`))
    expect(ids.filter(id => id !== undefined)).toHaveLength(1_000)
    log.end('"final"')
    await settle()
    const reading = read(b, log.start)
    await settle()
    expect(reading.heard).toHaveLength(1_001)
    expect(reading.heard.at(-1)).toBe('"final"')
    expect(reading.ending()).toBe('over')
  })

  it('is so later for what waits for an answer: it stands behind all that was said before', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    for (let index = 0; index < 1_100; index += 1) log.keep(`${index}`)
    expect(log.keep('"question"', true)).toBeDefined()
    expect(log.keep('"more"')).toBeUndefined()
    const awaited = Array.from({ length: 2_000 }, () => log.keep('"question"', true))
    expect(awaited.filter(id => id !== undefined)).toHaveLength(999)
    log.end('"final"')
    await settle()
    const reading = read(b, log.start)
    await settle()
    expect(reading.heard.slice(1_000, 1_002)).toEqual(['"question"', '"question"'])
    expect(reading.heard.at(-1)).toBe('"final"')
  })

  it.each([
    [3, 400_000, true],
    [1, 3_000_000, true],
    [2, 4_100_000, true],
    [1, 4_300_000, false],
  ])('in bytes, too: %i messages before an answer of %i bytes, which is kept: %s', async (count, bytes, isKept) => {
    const { a, b } = twoProcesses()
    const log = open(a)
    for (let index = 0; index < count; index += 1) log.keep(`"${'x'.repeat(400_000)}"`)
    const final = `"${'y'.repeat(bytes)}"`
    log.end(final)
    await settle()
    const reading = read(b, log.start)
    await settle()
    expect(reading.heard).toHaveLength(Math.min(count, 2) + 1)
    if (isKept) expect(reading.heard.at(-1) === final).toBe(true)
    else expect(JSON.parse(reading.heard.at(-1) ?? '')).toMatchObject({ id: 'mine', error: { data: { effect: 'unknown' } } })
  })
})

describe('a store that is lost', () => {
  it('for a while loses nothing, and nobody waits for it', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    log.keep('"one"')
    await settle()
    a.way.fail = 'lost'
    const id = log.keep('"two"')
    expect(id).toMatch(/\.2$/)
    expect(log.end('"final"')).toMatch(/\.3$/)
    await settle(10_000)
    a.way.fail = 'not'
    await settle(2_000)
    const reading = read(b, log.start)
    await settle()
    expect(reading.heard).toEqual(['"one"', '"two"', '"final"'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('for longer ends the keeping: what is said then has no id', async () => {
    const { a } = twoProcesses()
    a.way.fail = 'lost'
    const log = open(a)
    expect(log.keep('"one"')).toBeDefined()
    await settle(70_000)
    expect(log.keep('"two"')).toBeUndefined()
    expect(log.end('"final"')).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that did what it does not say is asked again, and a message that was written twice is heard once', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    await settle()
    // It is written, and nobody is told.
    a.way.fail = 'deaf'
    log.keep('"one"')
    await settle(200)
    expect(a.way.asked.filter(verb => verb === 'append').length).toBeGreaterThan(2)
    a.way.fail = 'not'
    await settle(1_000)
    log.end('"final"')
    await settle(1_000)
    const reading = read(b, log.start)
    await settle()
    expect(reading.heard).toEqual(['"one"', '"final"'])
  })

  it('without room is not asked again', async () => {
    const { a } = twoProcesses()
    a.way.fail = 'full'
    const log = open(a)
    await settle()
    expect(log.keep('"one"')).toBeUndefined()
    expect(a.way.asked.filter(verb => verb === 'append')).toHaveLength(1)
  })

  it('is told to who comes back, and waited for a little while somebody reads', async () => {
    const { a, b } = twoProcesses()
    const log = open(a)
    await settle()
    b.way.fail = 'lost'
    await expect(resumed(b, log.start).look()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    b.way.fail = 'not'
    const reading = read(b, log.start)
    await settle(2_000)
    b.way.fail = 'lost'
    log.keep('"one"')
    await settle(10_000)
    expect(reading.ending()).toBeUndefined()
    b.way.fail = 'not'
    await settle(5_000)
    expect(reading.heard).toEqual(['"one"'])
    b.way.fail = 'lost'
    await settle(60_000)
    expect(reading.ending()).toBe('left')
    log.end(undefined)
  })
})

describe('a process that dies', () => {
  it.each([0, 500, 20_000])(
    '%i ms after it began is found out: the answer is lost, and what it had said is heard before that',
    async ms => {
      const { a, b, clock } = twoProcesses()
      const log = open(a)
      log.keep('"one"')
      const pass = async (left: number): Promise<void> => {
        for (; left > 0; left -= 500) {
          clock.advance(500)
          await settle(500)
        }
      }
      await settle()
      await pass(ms)
      a.way.fail = 'lost'
      const reading = read(b, log.start)
      await settle()
      expect(reading.heard).toEqual(['"one"'])
      expect(reading.ending()).toBeUndefined()
      await pass(40_000)
      expect(reading.ending()).toBe('lost')
    },
  )

  it('is not taken for dead while it lives, however little it says and whoever reads', async () => {
    const { a, b, clock } = twoProcesses()
    const log = open(a)
    const reading = read(b, log.start)
    for (let second = 0; second < 200; second += 1) {
      clock.advance(1_000)
      await settle(1_000)
    }
    expect(reading.ending()).toBeUndefined()
    log.end('"final"')
    await settle()
    expect(reading.heard).toEqual(['"final"'])
  })

  it('leaves a gap that is not passed over', async () => {
    const { a, shared, clock } = twoProcesses()
    const log = open(a)
    for (const text of ['"one"', '"two"']) {
      await settle()
      log.keep(text)
    }
    log.end('"final"')
    await settle()
    // The entry between is gone: what stands behind it is not the rest.
    const rest = {
      ...shared,
      read: async (key: string, from: number) => (await shared.read(key, from)).filter((_, index) => from > 0 || index !== 1),
    }
    const reading = read(openProcess(rest, clock), log.start)
    await settle()
    expect(reading.heard).toEqual([])
    expect(reading.ending()).toBe('lost')
  })

  it('with another secret leaves nothing that anybody reads', async () => {
    const { a, shared, clock } = twoProcesses()
    const log = open(a)
    await settle()
    const other = openProcess(shared, clock, randomBytes(32))
    expect(other.streams.resume(here, log.start ?? '')).toBeUndefined()
    log.end(undefined)
  })
})

describe('the stream of a session', () => {
  it('is had by one connection: another takes it, on this process or another', async () => {
    const { a, b } = twoProcesses()
    const ended: string[] = []
    const letGoOfFirst = a.streams.takeStream(here, () => void ended.push('first'))
    await settle()
    a.streams.takeStream(here, () => void ended.push('second'))
    expect(ended).toEqual(['first'])
    letGoOfFirst()
    a.streams.takeStream(here, () => void ended.push('after'))
    expect(ended).toEqual(['first', 'second'])
    await settle()
    const letGo = b.streams.takeStream(here, () => void ended.push('third'))
    await settle()
    expect(ended).toContain('after')
    expect(ended).not.toContain('third')
    a.streams.takeStream(sessionOf({ name: 'another' }), () => void ended.push('other'))
    await settle()
    letGo()
    expect(ended).not.toContain('third')
  })

  it('is had without a store, too', async () => {
    const { a } = twoProcesses()
    a.way.fail = 'lost'
    const ended: string[] = []
    a.streams.takeStream(here, () => void ended.push('first'))
    await settle()
    a.streams.takeStream(here, () => void ended.push('second'))
    await settle()
    expect(ended).toEqual(['first'])
  })
})

it('an entry is read as it was written', () => {
  for (const entry of [
    { kind: 'head', scopes: [] },
    { kind: 'head', scopes: ['a', 'b'] },
    { kind: 'said', from: 1, messages: [], isLast: false },
    { kind: 'said', from: 7, messages: ['{"a":1}', '"ä"'], isLast: true },
  ] as const)
    expect(readEntry(writeEntry(entry))).toEqual(entry)
})
