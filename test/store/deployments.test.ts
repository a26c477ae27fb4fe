import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it } from 'vitest'
import { createRedisStore, type Store } from '../../src/store/index.ts'
import { freePort } from '../support/ports.ts'
import { freshKey, NEVER_MS, PATIENT, untilReady } from './harness.ts'

/** Each takes its time to find the others, one after the other. */
const LONG_MS = 180_000

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
  const exited = once(server, 'exit')
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  cleanups.push(async () => {
    client.disconnect()
    server.kill('SIGKILL')
    await exited
  })
  const killWithUs = (): void => void server.kill('SIGKILL')
  process.once('exit', killWithUs)
  server.once('exit', () => process.off('exit', killWithUs))
  await client.ping()
  return client
}

const open = async (url: string, pollMs = 5000): Promise<Store> => {
  const store = createRedisStore({ url, pollMs, ...PATIENT })
  cleanups.push(() => store.close())
  await untilReady(store)
  return store
}

const useIt = async (store: Store): Promise<void> => {
  const request = () => ({ key: freshKey(), fingerprint: 'f', leaseMs: 10_000, ttlMs: 10_000, owner: 'ann' })
  const states = await Promise.all(Array.from({ length: 20 }, () => store.begin(request())))
  expect(states.every(({ state }) => state === 'begun')).toBe(true)
  expect((await store.take({ key: freshKey(), emissionMs: 1000, burst: 1, cost: 1 })).allowed).toBe(true)
  const key = freshKey()
  const heard: string[] = []
  const stop = store.watch(key, () => void store.read(key, 0).then(messages => heard.push(String(messages))))
  await store.append(key, Buffer.from('said'), 10_000, 'ann')
  await expect.poll(() => heard.at(-1)).toBe('said')
  await store.append(key, Buffer.from('again'), 10_000, 'ann')
  await expect.poll(() => heard.at(-1)).toBe('said,again')
  await store.setField(key, 'a', Buffer.from('1'), 10_000, 'ann')
  expect(String((await store.fields(key)).get('a'))).toBe('1')
  stop()
  const spent = freshKey()
  expect([await store.spend(spent, 10_000, 'ann'), await store.spend(spent, 10_000, 'ann')]).toEqual([true, false])
}

/** Those that docs/store.md tells an operator to give. */
function documentedRights(): readonly string[] {
  const page = readFileSync(new URL('../../docs/store.md', import.meta.url), 'utf8')
  return (/```text\n(~[^`]+)```/.exec(page)?.[1] ?? '').split(/\s+/).filter(Boolean)
}

describe('the store in Redis', () => {
  it('works for a user with the rights that are documented, and a password, by URL', async () => {
    const port = await freePort()
    const client = await launch(port)
    await client.call('ACL', 'SETUSER', 'gateway', 'on', '>p:w', ...documentedRights())
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

  it(
    'hears across the nodes of a cluster, and goes to another node when its own is cut',
    async () => {
      const launchNode = async (first: number, last: number) => {
        const [port, bus] = [await freePort(), await freePort()]
        const client = await launch(port, '--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-announce-ip', '127.0.0.1')
        await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last)
        return { client, port, bus }
      }
      const [one, other] = [await launchNode(0, 8191), await launchNode(8192, 16383)]
      await other.client.call('CLUSTER', 'SET-CONFIG-EPOCH', '2')
      await one.client.call('CLUSTER', 'MEET', '127.0.0.1', other.port, other.bus)
      for (const { client } of [one, other]) {
        await expect.poll(async () => String(await client.call('CLUSTER', 'INFO'))).toContain('cluster_state:ok')
      }
      const url = `redis+cluster://127.0.0.1:${one.port}`
      const [here, there] = [await open(url, NEVER_MS), await open(url, NEVER_MS)]
      const heard = new Map<string, number>()
      const keys = Array.from({ length: 40 }, freshKey)
      for (const key of keys) {
        here.watch(key, () => void here.read(key, 0).then(messages => heard.set(key, messages.length)))
      }
      const hasHeard = (count: number) => () => keys.filter(key => heard.get(key) === count).length
      for (const index of [0, 1, 2]) {
        for (const key of keys) await there.append(key, Buffer.of(index), 60_000, 'ann')
        await expect.poll(hasHeard(index + 1)).toBe(keys.length)
        for (const { client } of [one, other]) await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      }
    },
    LONG_MS,
  )

  it('works through Sentinel', async () => {
    const [port, sentinelPort] = [await freePort(), await freePort()]
    await launch(port)
    const sentinel = await launch(sentinelPort, '--sentinel')
    await sentinel.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(port), '1')
    await useIt(await open(`redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinelPort}/main/1`))
  })

  it(
    'hears again after Sentinel has made another server the master',
    async () => {
      const [first, second, sentinelPort] = [await freePort(), await freePort(), await freePort()]
      await launch(first)
      const replica = await launch(second, '--replicaof', '127.0.0.1', String(first))
      await expect.poll(async () => String(await replica.info('replication'))).toContain('master_link_status:up')
      const sentinel = await launch(sentinelPort, '--sentinel')
      await sentinel.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(first), '1')
      await expect.poll(async () => String(await sentinel.call('SENTINEL', 'REPLICAS', 'main'))).toContain(String(second))
      const url = `redis+sentinel://127.0.0.1:${sentinelPort}/main`
      const [here, there] = [await open(url, 1000), await open(url, 1000)]
      const key = freshKey()
      let heard = ''
      here.watch(key, () => {
        here.read(key, 0).then(
          messages => {
            heard = String(messages)
          },
          () => {},
        )
      })
      await there.append(key, Buffer.from('before'), 60_000, 'ann')
      await expect.poll(() => heard).toBe('before')
      // It knows of the replica before it has seen that it is a good one.
      const isPromoting = () =>
        sentinel.call('SENTINEL', 'FAILOVER', 'main').then(
          () => true,
          () => false,
        )
      await expect.poll(isPromoting, { interval: 200 }).toBe(true)
      await expect.poll(async () => String(await replica.info('replication'))).toContain('role:master')
      await expect
        .poll(() =>
          there.append(key, Buffer.from('after'), 60_000, 'ann').then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      await expect.poll(() => heard).toMatch(/after$/)
    },
    LONG_MS,
  )
})
