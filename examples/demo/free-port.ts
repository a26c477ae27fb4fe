import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port that is free now: for a server whose configuration must name its own address before it listens. Below the range that systems take
 * the ports of outgoing connections from, any of which could take it before that server does. As long as this process lives, no other one is
 * given the same port here.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if ((await isReserved(port)) && (await isFree(port))) return port
  }
}

/** The port of the same number of a protocol that nobody here uses: whoever has it has the number, until it ends. */
async function isReserved(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  return isOurs(once(socket.bind(port, '127.0.0.1'), 'listening'))
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  if (!(await isOurs(once(server.listen(port, '127.0.0.1'), 'listening')))) return false
  server.close()
  await once(server, 'close')
  return true
}

async function isOurs(listening: Promise<unknown>): Promise<boolean> {
  try {
    await listening
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

/** Starts what listens on a port that it is given; again on another one where somebody has taken it meanwhile. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MAX_TRIES) throw error
    }
  }
}

const MAX_TRIES = 3
