/** What the gateway is measured against: the well-known Fastify proxy, with nothing between caller and upstream. */
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

const upstream = process.argv[2] ?? ''
const app = fastify({ logger: false })
await app.register(proxy, { upstream, undici: { connections: 64, pipelining: 1, allowH2: false } })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: Number(new URL(address).port) })
process.on('disconnect', () => process.exit())
