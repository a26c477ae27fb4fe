import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAbsentees } from '../../src/http/absentees.ts'
import { EventStream } from '../../src/http/caller-stream.ts'
import type { StreamLog } from '../../src/sessions/index.ts'
import { eventually } from '../support/eventually.ts'

/** Long enough to do something in, however busy the machine is. */
const WHILE_MS = 1_500
const OPEN_AFTER_MS = WHILE_MS

interface Meeting {
  readonly stream: EventStream
  readonly socket: Socket
  /** Everything that has reached the caller. */
  seen(): string
}

/** A caller that has asked, and the stream it may be answered with. */
async function meet(accept: string | undefined, keepAliveMs = 60_000, lingerMs = 60_000, holdMs = 0): Promise<Meeting> {
  const app = fastify()
  const asked = new Promise<EventStream>(resolve => {
    app.post('/', (_request, reply) => {
      const stream = new EventStream(reply, {
        keepAliveMs,
        openAfterMs: OPEN_AFTER_MS,
        lingerMs,
        holdMs,
        absentees: createAbsentees(),
        opened() {},
        closed() {},
      })
      reply.raw.once('close', () => stream.close())
      resolve(stream)
    })
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await app.close()
  })
  let seen = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    seen += chunk
  })
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n${accept === undefined ? '' : `accept: ${accept}\r\n`}\r\n`)
  return { stream: await asked, socket, seen: () => seen }
}

/** Says something until there is no room for it; the promise of the first that had none. */
async function fill({ stream, socket }: Meeting): Promise<{ readonly pending: Promise<void> }> {
  socket.pause()
  for (let count = 0; ; count++) {
    const pending = stream.notify(`"${'x'.repeat(65_536)}"`)
    // Unless the kernel took it after all.
    if (
      pending !== undefined &&
      (await Promise.race([pending.then(() => false), new Promise(resolve => setTimeout(() => resolve(true), 500))]))
    )
      return { pending }
    if (count > 1_000) throw new Error('there is always room')
  }
}

describe('a caller takes a stream', () => {
  it.each([
    [undefined, true],
    ['*/*', true],
    ['text/*', true],
    ['application/json, text/event-stream', true],
    ['Text/Event-Stream;q=0.5', true],
    ['application/json', false],
    ['text/event-stream-like', false],
    ['', false],
  ])('that says Accept: %s: %s', async (accept, canStream) => {
    const { stream, seen } = await meet(accept)
    expect(stream.canStream).toBe(canStream)
    stream.open()
    expect(stream.opened).toBe(canStream)
    expect(stream.notify('{"n":1}')).toBeUndefined()
    if (canStream) await eventually(() => seen().includes('data: {"n":1}\n\n'))
    else expect(seen()).toBe('')
  })
})

describe('a caller that is behind', () => {
  it('makes everybody wait who has something to say, and goes on with all of them', async () => {
    const meeting = await meet(undefined)
    const { pending } = await fill(meeting)
    const others = [2, 3].map(count => meeting.stream.notify(`{"n":${count}}`))
    for (const other of others) expect(other).toBeInstanceOf(Promise)
    meeting.socket.resume()
    await Promise.all([pending, ...others])
    await eventually(() => meeting.seen().includes('{"n":3}'))
    // And has room again.
    expect(meeting.stream.notify('{"n":4}')).toBeUndefined()
  })

  it('and leaves keeps nobody waiting', async () => {
    const meeting = await meet(undefined)
    const { pending } = await fill(meeting)
    const second = meeting.stream.notify('{"n":2}')
    let left = 0
    meeting.stream.onGone(() => {
      left += 1
    })
    meeting.socket.destroy()
    await Promise.all([pending, second])
    expect(left).toBe(1)
    expect(meeting.stream.notify('{"n":3}')).toBeUndefined()
  })

  it('gets no keep-alives on top', async () => {
    const meeting = await meet(undefined, 5)
    await fill(meeting)
    const { bytes } = meeting.stream
    await new Promise(resolve => setTimeout(resolve, 100))
    meeting.stream.finish('{"last":1}')
    meeting.socket.resume()
    await eventually(() => meeting.seen().includes('{"last":1}'))
    expect(bytes).toBeGreaterThan(65_536)
    const tail = meeting.seen().slice(meeting.seen().lastIndexOf('xxx'))
    expect(tail).not.toContain('keep-alive')
  })
})

it('after the final response nothing is said', async () => {
  const { stream, seen } = await meet(undefined, 5)
  stream.notify('{"n":1}')
  await eventually(() => seen().includes('keep-alive'))
  stream.finish('{"last":1}')
  const { bytes } = stream
  stream.notify('{"n":2}')
  stream.finish('{"last":2}')
  await eventually(() => seen().includes('{"last":1}'))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(seen()).not.toContain('"n":2')
  expect(seen()).not.toContain('"last":2')
  expect(seen().indexOf('keep-alive', seen().indexOf('last'))).toBe(-1)
  expect(stream.bytes).toBe(bytes)
})

/** What is kept of a stream, in the order it was; ids are places. */
class Log implements StreamLog {
  readonly start: string | undefined
  readonly kept: (string | undefined)[] = []
  opened = 0
  resume = (): void => {}

  constructor(start: string | undefined) {
    this.start = start
  }
  keep(message: string): string | undefined {
    this.kept.push(message)
    return message === '{"n":"unkept"}' ? undefined : String(this.kept.length)
  }
  end(final: string | undefined): string | undefined {
    this.kept.push(final, 'END')
    return final === undefined ? undefined : String(this.kept.length - 1)
  }
  onResumed(run: () => void): void {
    this.resume = run
  }
  open(): StreamLog {
    this.opened += 1
    return this
  }
}

async function meetInSession(options: { accept?: string; start?: string; lingerMs?: number; holdMs?: number } = {}) {
  const meeting = await meet(options.accept, 60_000, options.lingerMs, options.holdMs)
  const log = new Log(options.start)
  meeting.stream.keep('owner', () => log.open())
  let left = 0
  meeting.stream.onGone(() => {
    left += 1
  })
  return { ...meeting, log, left: () => left }
}

const bodyOf = (seen: string): string => seen.slice(seen.indexOf('\r\n\r\n') + 4)

describe('a caller in a session', () => {
  it('has its stream kept once there is one, under ids, an id alone first where it is given one', async () => {
    const { stream, seen, log } = await meetInSession({ start: '0' })
    expect(log.opened).toBe(0)
    stream.open()
    stream.open()
    stream.notify('{"n":1}')
    stream.notify('{"n":"unkept"}')
    stream.finish('{"last":1}')
    await eventually(() => seen().includes('last'))
    expect(log).toMatchObject({ opened: 1, kept: ['{"n":1}', '{"n":"unkept"}', '{"last":1}', 'END'] })
    const events = ['id: 0\nretry: 1000\ndata: \n\n', 'id: 1\ndata: {"n":1}\n\n', 'data: {"n":"unkept"}\n\n', 'id: 3\ndata: {"last":1}\n\n']
    expect(bodyOf(seen()).replace(/\r\n[0-9a-f]*\r\n|[0-9a-f]+\r\n|\r\n/g, '')).toContain(events.join(''))
  })

  it('that leaves is not gone: what is said meanwhile is kept, nobody waits, and the answer too', async () => {
    const { stream, socket, log, left } = await meetInSession()
    stream.notify('{"n":1}')
    socket.destroy()
    await eventually(() => stream.notify('{"n":2}') === undefined && log.kept.length > 3)
    expect([stream.gone, left()]).toEqual([false, 0])
    for (let count = 0; count < 200; count += 1) expect(stream.notify(`"${'x'.repeat(65_536)}"`)).toBeUndefined()
    stream.finish('{"last":1}')
    expect(log.kept.slice(-2)).toEqual(['{"last":1}', 'END'])
    expect([stream.gone, left()]).toEqual([false, 0])
  })

  it('that puts event streams first has one at once', async () => {
    const { stream, log } = await meetInSession({ accept: 'text/event-stream, application/json' })
    expect([stream.opened, log.opened]).toEqual([true, 1])
    expect((await meetInSession({ accept: 'application/json, text/event-stream' })).stream.opened).toBe(false)
  })

  it('that can come back is sent away after a while, and not gone; one that cannot is not', async () => {
    const { stream, seen, log, left } = await meetInSession({ start: '0', holdMs: 50 })
    const other = await meetInSession({ holdMs: 50 })
    stream.open()
    other.stream.open()
    await eventually(() => seen().endsWith('0\r\n\r\n'))
    expect(bodyOf(seen())).toMatch(/retry: 1000\n\n(?!.*data: \{)/s)
    stream.notify('{"n":1}')
    stream.finish('{"last":1}')
    other.stream.finish('{"last":1}')
    expect(log.kept).toEqual(['{"n":1}', '{"last":1}', 'END'])
    expect([stream.gone, left()]).toEqual([false, 0])
    await eventually(() => other.seen().includes('last'))
  })

  it('that waits gets a stream after a while, unless its request is over by then', async () => {
    const { stream, log } = await meetInSession()
    const quick = await meetInSession()
    quick.stream.settle()
    const plain = await meetInSession({ accept: 'application/json' })
    expect(stream.opened).toBe(false)
    await eventually(() => stream.opened)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect([log.opened, quick.log.opened, plain.log.opened]).toEqual([1, 0, 0])
    expect([quick.stream.opened, plain.stream.opened]).toEqual([false, false])
  })

  it('is gone when nobody has come back in time', async () => {
    const { stream, socket, log, left } = await meetInSession({ lingerMs: 50 })
    stream.notify('{"n":1}')
    socket.destroy()
    await eventually(() => stream.gone)
    expect(left()).toBe(1)
    stream.notify('{"n":2}')
    stream.finish('{"last":1}')
    expect(log.kept).toEqual(['{"n":1}', '{"last":1}', 'END'])
  })

  it('is gone in time before there is a stream, and not once its request is over', async () => {
    const one = await meetInSession({ lingerMs: 50 })
    one.socket.destroy()
    await eventually(() => one.stream.gone)
    expect(one.log.opened).toBe(0)
    const other = await meetInSession({ lingerMs: WHILE_MS })
    other.socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 20))
    other.stream.settle()
    await new Promise(resolve => setTimeout(resolve, WHILE_MS + 100))
    expect([other.stream.gone, other.left()]).toEqual([false, 0])
  })

  it('that reads on elsewhere hears nothing more here, and is waited for as long as it does', async () => {
    const { stream, seen, log, left } = await meetInSession({ lingerMs: WHILE_MS })
    stream.notify('{"n":1}')
    await eventually(() => seen().includes('"n":1'))
    log.resume()
    stream.notify('{"n":2}')
    for (let time = 0; time < 4; time += 1) {
      await new Promise(resolve => setTimeout(resolve, WHILE_MS / 3))
      log.resume()
    }
    expect([stream.gone, left()]).toEqual([false, 0])
    stream.finish('{"last":1}')
    expect(log.kept).toEqual(['{"n":1}', '{"n":2}', '{"last":1}', 'END'])
    expect(seen()).not.toContain('"n":2')
    expect(seen()).not.toContain('last')
  })

  it.each([
    ['application/json, text/event-stream', '200', true],
    ['application/json', '202', false],
  ])('that cancels is answered with nothing, also before there was a stream: Accept %s', async (accept, status, canStream) => {
    const { stream, seen, log, left } = await meetInSession({ accept })
    expect(stream.canStream).toBe(canStream)
    stream.cancel()
    expect([stream.gone, stream.opened, left()]).toEqual([true, true, 1])
    stream.cancel()
    stream.notify('{"n":1}')
    stream.finish('{"last":1}')
    await eventually(() => seen().includes(`HTTP/1.1 ${status}`) && seen().includes('\r\n\r\n'))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(seen()).not.toContain('data:')
    expect([log.opened, left()]).toEqual([0, 1])
  })

  it('that cancels in the middle of a stream ends it, and what is kept of it', async () => {
    const { stream, seen, log } = await meetInSession({ start: '0' })
    stream.notify('{"n":1}')
    stream.cancel()
    stream.finish('{"last":1}')
    await eventually(() => seen().includes('"n":1'))
    expect(log.kept).toEqual(['{"n":1}', undefined, 'END'])
    expect(stream.gone).toBe(true)
  })

  it('that cancels while it is away ends it, too', async () => {
    const { stream, socket, log, left } = await meetInSession()
    stream.notify('{"n":1}')
    socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 20))
    stream.cancel()
    expect([stream.gone, left(), log.kept]).toEqual([true, 1, ['{"n":1}', undefined, 'END']])
  })

  it('hears what is kept elsewhere under ids from there, and when to come back for more', async () => {
    const { stream, seen } = await meet(undefined)
    stream.tell(undefined, 'a')
    stream.tell('{"n":1}', 'b')
    stream.leaveOff(true)
    stream.tell('{"n":2}', 'c')
    stream.leaveOff(true)
    stream.finish('{"last":1}')
    await eventually(() => seen().includes('"n":1'))
    await new Promise(resolve => setTimeout(resolve, 20))
    const text = seen()
    for (const part of ['id: a\nretry: 1000\ndata: \n\n', 'id: b\ndata: {"n":1}\n\n', '\nretry: 1000\n\n']) expect(text).toContain(part)
    expect(text).not.toMatch(/"n":2|last/)
  })
})
