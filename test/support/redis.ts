import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** A real redis-server of this suite's own, on a unix socket in a temporary folder. */
export interface RedisServer {
  /** For `createRedisStore`. */
  readonly url: string
  readonly path: string
  /** A plain client, for looking and for breaking things. */
  readonly client: Redis
  /** SIGSTOP: the socket still takes connections and bytes, and nothing answers. */
  pause(): void
  resume(): void
  /** SIGKILL, without a word. */
  kill(): Promise<void>
  /** After `kill`: an empty server on the same socket. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(...extraArguments: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-redis-'))
  const path = join(folder, 'redis.sock')
  let server = await launch(path, folder, extraArguments)
  const client = new Redis({ path, retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => {})

  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  return {
    url: `unix:${path}`,
    path,
    client,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await rm(path, { force: true })
      server = await launch(path, folder, extraArguments)
    },
    async stop() {
      client.disconnect()
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(path: string, folder: string, extraArguments: readonly string[]): Promise<ChildProcess> {
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', ...extraArguments], {
    stdio: 'ignore',
  })
  // A suite that is killed leaves no server behind.
  const killWithUs = (): void => void server.kill('SIGKILL')
  process.once('exit', killWithUs)
  server.once('exit', () => process.off('exit', killWithUs))
  const failed = new Promise<never>((_resolve, reject) => {
    server.once('error', error => {
      const missing = 'code' in error && error.code === 'ENOENT'
      reject(missing ? new Error('These tests need redis-server on PATH. On Debian or Ubuntu: sudo apt-get install redis-server') : error)
    })
    server.once('exit', code => reject(new Error(`redis-server ended with code ${code} before it was ready`)))
  })
  failed.catch(() => {})
  await Promise.race([listening(path), failed])
  return server
}

async function listening(path: string): Promise<void> {
  for (;;) {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 10))
    } finally {
      socket.destroy()
    }
  }
}
