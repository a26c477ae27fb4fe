import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port that is free now: for a server whose configuration must name its own address before it listens. Below the range that systems take
 * the ports of outgoing connections from, any of which could take it before that server does.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
