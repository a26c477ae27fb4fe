import { once } from 'node:events'
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  readonly origin: string
  /** Sends everything to one of them until told otherwise; `undefined`: each in turn. */
  pin(index: number | undefined): void
  /** Whether it takes its turn: what is not ready yet does not, as with any balancer that asks. */
  setReady(index: number, isReady: boolean): void
  /** How many requests each has been given. */
  readonly given: readonly number[]
  close(): Promise<void>
}

/**
 * A load balancer without any memory of who was sent where: each request goes to the next one, and on to another only where the connection
 * was refused, so that no request is sent twice. What a server that dies had begun to answer is cut for the client too.
 */
export async function startRoundRobin(origins: readonly string[]): Promise<RoundRobin> {
  let turn = 0
  let pinned: number | undefined
  const given = origins.map(() => 0)
  const ready = origins.map(() => true)

  const next = (): number => {
    if (pinned !== undefined) return pinned
    for (let tries = 0; tries < origins.length; tries += 1) {
      turn = (turn + 1) % origins.length
      if (ready[turn]) break
    }
    return turn
  }

  const pass = (request: IncomingMessage, response: ServerResponse, body: Buffer, refusals: number): void => {
    const index = next()
    const { method, headers, url = '/' } = request
    const onward = openRequest(new URL(url, origins[index]), { method, headers, agent: false, setHost: false })
    response.once('close', () => onward.destroy())
    onward.once('response', answer => {
      given[index] = (given[index] ?? 0) + 1
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      response.flushHeaders()
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && refusals < origins.length && pinned === undefined) pass(request, response, body, refusals + 1)
      else response.destroy()
    })
    onward.end(body)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    pass(request, response, Buffer.concat(chunks), 0)
  })
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pin: index => {
      pinned = index
    },
    setReady: (index, isReady) => {
      ready[index] = isReady
    },
    given,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
