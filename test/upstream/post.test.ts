import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Pool } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { Post, type PostSink } from '../../src/upstream/post.ts'
import { createGate } from '../support/eventually.ts'

/** An upstream that sends one chunk of a stream, then resets when it is told to. */
async function startStreamer(): Promise<{ readonly pool: Pool; readonly socket: Promise<Socket> }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 })
  const socket = once(server, 'connection').then(async ([connection]: Socket[]) => {
    if (connection === undefined) throw new Error('no connection')
    connection.on('error', () => {})
    await once(connection, 'data')
    connection.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n')
    return connection
  })
  onTestFinished(async () => {
    server.close()
    await pool.destroy()
  })
  return { pool, socket }
}

const REQUEST = { path: '/', headers: [], body: '{}', timeoutMs: 10_000, streamIdleMs: 10_000, maxBytes: 1_000 }

it.each([
  ['holds the final response', false, { status: 200, bytes: 5 }],
  ['holds none', true, { failure: 'broken', sent: true }],
] as const)('a connection that breaks while a chunk is being handled that %s', async (_name, wantsMore, outcome) => {
  const { pool, socket } = await startStreamer()
  const handling = createGate()
  const handled = createGate()
  const sink: PostSink = {
    onStream() {},
    async onChunk() {
      handling.open()
      await handled.opened
      return wantsMore
    },
  }
  const answered = new Post(pool, REQUEST, sink).answered.catch((error: unknown) => error)
  const connection = await socket
  await handling.opened
  const broken = once(pool, 'disconnect')
  connection.resetAndDestroy()
  await broken
  handled.open()
  expect(await answered).toMatchObject(outcome)
})
