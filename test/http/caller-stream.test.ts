import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EventStream } from '../../src/http/caller-stream.ts'
import { eventually } from '../support/eventually.ts'

interface Meeting {
  readonly stream: EventStream
  readonly socket: Socket
  /** Everything that has reached the caller. */
  seen(): string
}

/** A caller that has asked, and the stream it may be answered with. */
async function meet(accept: string | undefined, keepAliveMs = 60_000): Promise<Meeting> {
  const app = fastify()
  const asked = new Promise<EventStream>(resolve => {
    app.post('/', (_request, reply) => {
      const stream = new EventStream(reply, { keepAliveMs, lingerMs: 60_000, opened() {}, closed() {} })
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
      (await Promise.race([pending.then(() => false), new Promise(resolve => setTimeout(() => resolve(true), 50))]))
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
