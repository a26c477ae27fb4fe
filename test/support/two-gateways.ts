import { randomBytes } from 'node:crypto'
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'
import { freePort } from './ports.ts'
import { type RedisServer, startRedis } from './redis.ts'
import { POLICY, TOOLS } from './scene.ts'
import { startTokenMint } from './tokens.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from './upstream-stub.ts'

/** Two gateways in this process that serve one endpoint: one name, one secret, one Redis, one server behind them. */
export interface TwoGateways {
  readonly a: TestGateway
  readonly b: TestGateway
  readonly redis: RedisServer
  readonly upstream: UpstreamStub
  close(): Promise<void>
}

const NAME = 'https://gateway.test'

export interface TwoGatewaysOptions extends Pick<TestGatewayOptions, 'endpointYaml' | 'upstreamYaml' | 'serve'> {
  /** Of another server than the stub, which nobody asks then. */
  readonly upstreamUrl?: string
  readonly onCall?: OnCall
  readonly stub?: Partial<Omit<UpstreamStub, 'url'>>
  readonly policy?: string
  readonly limits?: string
}

export async function startTwoGateways(options: TwoGatewaysOptions = {}): Promise<TwoGateways> {
  const { onCall, stub = {}, policy = POLICY, limits = 'listsPerMinute: 10000, requestsPerMinute: 10000', upstreamUrl, ...rest } = options
  const mint = await startTokenMint()
  const redis = await startRedis()
  const upstream = Object.assign(await startUpstreamStub(TOOLS, onCall), stub)
  const settings = { store: redis.url, secret: randomBytes(32).toString('hex') }
  const [one, two] = [await freePort(), await freePort()]
  const start = (...ports: [number, number]): Promise<TestGateway> =>
    startGateway({
      ports,
      upstreams: { acme: upstreamUrl ?? upstream.url },
      tools: { acme: policy },
      mint,
      settings,
      publicOrigin: NAME,
      gatewayYaml: `pins: { onFirstUse: trust }\nlimits: { ${limits} }`,
      ...rest,
    })
  const [a, b] = [await start(one, two), await start(two, one)]
  return {
    a,
    b,
    redis,
    upstream,
    async close() {
      await Promise.all([a.close(), b.close()])
      await upstream.close()
      await redis.stop()
      await mint.close()
    },
  }
}
