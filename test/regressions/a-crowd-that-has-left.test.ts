import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { openSession } from '../support/session.ts'
import { text } from '../support/upstream-stub.ts'

/*
 * One token, one session: a call of a slow tool with half a megabyte of arguments, and the connection is closed at once.
 * In a session that is no cancellation: each call goes on for five minutes without anybody, as the specification has it.
 * So it holds no connection, and nothing else counts it: the attacker needs one socket, and not a thousand.
 * A thousand of them are 1 GB in this process, in 15 seconds, and a line before the upstream that nobody else gets past.
 * Now only some of one person go on without a client; whoever leaves behind more of them has cancelled.
 */

let scene: Scene
afterEach(() => scene.close())

describe('a client that leaves call after call', () => {
  it('leaves no more than some of them running, and what it leaves when they are over is counted no more', async () => {
    const ends: (() => void)[] = []
    scene = await startScene({
      upstreamYaml: '    maxConnections: 200',
      onCall: () => new Promise(resolve => ends.push(() => resolve(text('done')))),
    })
    const { gateway, upstream } = scene
    const session = await openSession(gateway)
    const leaveCall = async (id: number): Promise<void> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'acme__read', arguments: {} } })
      const { host, port } = new URL(gateway.url)
      const head = `POST /mcp HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${gateway.token()}\r\nmcp-session-id: ${session.id}\r\n`
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      const calls = upstream.calls.length
      await eventually(() => upstream.calls.length > calls)
      socket.destroy()
    }
    const recorded = (): number => gateway.trail.requests().filter(({ method }) => method === 'tools/call').length
    const cancelled = (): number => gateway.trail.requests().filter(record => record.cancelled === true).length

    for (const round of [1, 2]) {
      for (let id = 0; id < 80; id += 1) await leaveCall(id)
      await eventually(() => cancelled() === 64 * round)
      for (const end of ends.splice(0)) end()
      await eventually(() => recorded() === 80 * round)
      expect(cancelled()).toBe(64 * round)
    }
  })
})
