import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it } from 'vitest'
import { createRedisStore, type Store } from '../../src/store/index.ts'
import { freshKey, untilReady } from './harness.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

/** A redis-server on a TCP port; resolves with a client once it answers. */
const launch = async (port: number, ...args: readonly string[]): Promise<Redis> => {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-redis-'))
  const config = join(folder, 'redis.conf')
  await writeFile(config, `port ${port}\nbind 127.0.0.1\ndir ${folder}\n`)
  const server = spawn('redis-server', [config, ...args], { stdio: 'ignore' })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  cleanups.push(() => {
    client.disconnect()
    server.kill('SIGKILL')
  })
  process.once('exit', () => server.kill('SIGKILL'))
  await client.ping()
  return client
}

const open = async (url: string): Promise<Store> => {
  const store = createRedisStore({ url })
  cleanups.push(() => store.close())
  await untilReady(store)
  return store
}

const useIt = async (store: Store): Promise<void> => {
  const request = () => ({ key: freshKey(), fingerprint: 'f', leaseMs: 10_000, ttlMs: 10_000, owner: 'ann' })
  const states = await Promise.all(Array.from({ length: 20 }, () => store.begin(request())))
  expect(states.every(({ state }) => state === 'begun')).toBe(true)
  expect((await store.take({ key: freshKey(), emissionMs: 1000, burst: 1, cost: 1 })).allowed).toBe(true)
  const spent = freshKey()
  expect([await store.spend(spent, 10_000, 'ann'), await store.spend(spent, 10_000, 'ann')]).toEqual([true, false])
}

describe('the store in Redis', () => {
  it('works on a server with a password, by URL', async () => {
    const port = await freePort()
    const client = await launch(port)
    await client.call('ACL', 'SETUSER', 'gateway', 'on', '>p:w', '~*', '+@all')
    await useIt(await open(`redis://gateway:p%3Aw@127.0.0.1:${port}/2`))
    expect(await client.dbsize()).toBe(0)
  })

  it('works on a cluster, keys spread over its slots', async () => {
    const port = await freePort()
    const bus = String(await freePort())
    const client = await launch(port, '--cluster-enabled', 'yes', '--cluster-port', bus, '--cluster-announce-ip', '127.0.0.1')
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await useIt(await open(`redis+cluster://127.0.0.1:${port},127.0.0.1:1`))
  })

  it('works through Sentinel', async () => {
    const [port, sentinelPort] = [await freePort(), await freePort()]
    await launch(port)
    const sentinel = await launch(sentinelPort, '--sentinel')
    await sentinel.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(port), '1')
    await useIt(await open(`redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinelPort}/main/1`))
  })
})
