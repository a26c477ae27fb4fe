import { Cluster, Redis, type RedisOptions, type Result } from 'ioredis'
import { APPEND, BEGIN, SET_FIELD, SETTLE, TAKE } from './redis-scripts.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    wicketTake(key: string, emissionUs: number, burst: number, cost: number): Result<unknown, Context>
    wicketBeginBuffer(key: string, fingerprint: string, leaseMs: number, ttlMs: number): Result<unknown, Context>
    wicketSettle(
      key: string,
      verb: 'd' | 'c' | 'r' | 'u',
      fence: number,
      ms: number,
      ...answer: readonly Uint8Array[]
    ): Result<unknown, Context>
    wicketSetField(key: string, channel: string, ttlMs: number, field: string, ...value: readonly Uint8Array[]): Result<unknown, Context>
    wicketAppend(key: string, channel: string, ttlMs: number, message: Uint8Array): Result<unknown, Context>
  }
}

const SCRIPTS = {
  wicketTake: { lua: TAKE, numberOfKeys: 1 },
  wicketBegin: { lua: BEGIN, numberOfKeys: 1 },
  wicketSettle: { lua: SETTLE, numberOfKeys: 1 },
  wicketSetField: { lua: SET_FIELD, numberOfKeys: 1 },
  wicketAppend: { lua: APPEND, numberOfKeys: 1 },
}

export function backoff(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 5), 1000) * (0.75 + Math.random() / 2)
}

/**
 * ioredis's own defaults keep commands for later and try them again: a decision made for a caller that has long been refused. Here a command
 * is written at once or fails at once, and is never written twice. `socketTimeout` closes a connection that has gone silent; while there is
 * none, every command fails without waiting, and reconnecting never ends.
 */
function optionsFor(silentAfterMs: number) {
  return {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: true,
    // Not `commandTimeout`: it starts when a pipeline is sent, so a command queued behind a stuck one would wait twice. See deadline.ts.
    socketTimeout: silentAfterMs,
    connectTimeout: 1000,
    retryStrategy: backoff,
    disableClientInfo: true,
    scripts: SCRIPTS,
  } satisfies RedisOptions
}

interface Target {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly path: string
  readonly credentials: Pick<RedisOptions, 'username' | 'password'>
}

/** `scheme://[user:password@]host[:port][,host[:port]…][/path]`; the URL class refuses more than one host. */
function parseHosts(url: string, defaultPort: number): Target {
  const rest = url.slice(url.indexOf('://') + 3)
  const at = rest.lastIndexOf('@')
  const [user, ...secret] = at < 0 ? [] : rest.slice(0, at).split(':')
  const [authority = '', ...path] = rest.slice(at + 1).split('/')
  const hosts = authority.split(',').map(entry => {
    const { hostname, port } = new URL(`redis://${entry}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) }
  })
  const credentials: Pick<RedisOptions, 'username' | 'password'> = {}
  if (user !== undefined && user !== '') credentials.username = decodeURIComponent(user)
  if (secret.length > 0) credentials.password = decodeURIComponent(secret.join(':'))
  return { hosts, path: path.join('/'), credentials }
}

/**
 * `redis://`, `unix:/path/to.sock`, `redis+sentinel://host,host/master-name[/db]`, `redis+cluster://host,host`; `rediss` for TLS.
 * Connecting goes on in the background; a RangeError says that the URL is none of these.
 */
export function connectRedis(url: string, silentAfterMs: number): Redis | Cluster {
  const options = optionsFor(silentAfterMs)
  if (url.startsWith('unix:')) return new Redis({ ...options, path: url.slice('unix:'.length) })
  const secure = url.startsWith('rediss')
  const tls = secure ? { tls: {} } : {}
  switch (/^rediss?(\+sentinel|\+cluster|):\/\//.exec(url)?.[1]) {
    case '':
      return new Redis(url, options)
    case '+sentinel': {
      const { hosts, path, credentials } = parseHosts(url, 26379)
      const [name = '', db = '0'] = path.split('/')
      if (name === '' || !/^\d+$/.test(db)) throw new RangeError('a Sentinel URL ends in /master-name or /master-name/database-number')
      const sentinel = { sentinels: [...hosts], name, db: Number(db), enableTLSForSentinelMode: secure, ...(secure && { sentinelTLS: {} }) }
      return new Redis({ ...options, ...credentials, ...tls, ...sentinel })
    }
    case '+cluster': {
      const { hosts, credentials } = parseHosts(url, 6379)
      const { retryStrategy: _none, enableOfflineQueue: _ours, scripts: _shared, ...redisOptions } = options
      return new Cluster([...hosts], {
        enableOfflineQueue: false,
        enableAutoPipelining: true,
        clusterRetryStrategy: backoff,
        // Only a redirection is followed, and once: MOVED and ASK say that nothing was applied.
        maxRedirections: 1,
        slotsRefreshTimeout: 1000,
        scripts: SCRIPTS,
        redisOptions: { ...redisOptions, ...credentials, ...tls },
      })
    }
    default:
      throw new RangeError('the store URL begins with redis://, rediss://, unix:, redis+sentinel:// or redis+cluster://')
  }
}

/**
 * A connection beside `client`, for subscribing, with one life: when it ends, another is opened, in a cluster to any node (what is published
 * on one is heard on all). `undefined` while no node is known.
 */
export function openListener(client: Redis | Cluster): Redis | undefined {
  const once = { retryStrategy: () => null, lazyConnect: false }
  if (!(client instanceof Cluster)) return client.duplicate(once)
  const nodes = client.nodes('master')
  return nodes[Math.floor(Math.random() * nodes.length)]?.duplicate(once)
}
