import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, PROGRESS, progress, startWire, type WireScene, writeEvent } from '../wire/scene.ts'

/** One has limits of time that are soon over; the other none that a busy machine comes to. */
let hasty: WireScene
let calm: WireScene
let onCall: OnCall
let upstreamSide: ServerResponse
const start = (times: string): Promise<WireScene> =>
  startWire(
    (request, response) => {
      upstreamSide = response
      return onCall(request, response)
    },
    { upstreamYaml: `    maxResponseBytes: 65536\n${times}` },
  )
beforeAll(async () => {
  hasty = await start('    timeoutMs: 1000\n    streamIdleMs: 300')
  calm = await start('')
})
afterAll(() => Promise.all([hasty.close(), calm.close()]))

const sceneFor = (code: string | undefined): WireScene => (code === 'UPSTREAM_TIMEOUT' ? hasty : calm)

/** As much as the other side takes, for ever. */
function pour(response: ServerResponse, chunk: string): void {
  const more = (): void => {
    while (!response.closed && response.write(chunk)) {}
  }
  response.on('drain', more)
  more()
}

const JSON_HEAD = { 'content-type': 'application/json' }

// what the cases call 2 GiB and one byte a minute, against limits that are as much smaller.
describe('an upstream without measure is cut at its limit, and its connection closed', () => {
  const cases: Readonly<Record<string, readonly [OnCall, status: number, code: string]>> = {
    'a body that does not end': [
      (_request, response) => pour(response.writeHead(200, JSON_HEAD), ' '.repeat(8192)),
      502,
      'UPSTREAM_INVALID',
    ],
    'a body announced as 2 GiB': [
      (_request, response) => pour(response.writeHead(200, { ...JSON_HEAD, 'content-length': 2 ** 31 }), ' '.repeat(8192)),
      502,
      'UPSTREAM_INVALID',
    ],
    'one byte now and then': [
      (_request, response) => {
        response.writeHead(200, JSON_HEAD)
        const drip = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(drip))
      },
      504,
      'UPSTREAM_TIMEOUT',
    ],
    'headers and no body': [(_request, response) => response.writeHead(200, JSON_HEAD).flushHeaders(), 504, 'UPSTREAM_TIMEOUT'],
    'nothing at all': [() => undefined, 504, 'UPSTREAM_TIMEOUT'],
    'headers larger than any': [
      (_request, response) => void response.writeHead(200, { ...JSON_HEAD, 'x-large': 'x'.repeat(32_768) }).end(),
      502,
      'UPSTREAM_INVALID',
    ],
    'a compressed body nobody asked for': [
      (_request, response) => void response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end('x'),
      502,
      'UPSTREAM_INVALID',
    ],
    'a chain of a hundred codings': [
      (_request, response) =>
        void response.writeHead(200, { ...JSON_HEAD, 'content-encoding': Array.from({ length: 100 }, () => 'gzip').join(', ') }).end('x'),
      502,
      'UPSTREAM_INVALID',
    ],
  }
  it.each(Object.keys(cases))('%s', async name => {
    const [answerWith, status, code] = cases[name] ?? []
    const scene = sceneFor(code)
    onCall = (request, response) => void answerWith?.(request, response)
    const calls = scene.upstream.calls.length
    const answer = await scene.gateway.call('acme__write', {}, { id: 7 })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ id: 7, error: { data: { code, effect: 'unknown' } } })
    await eventually(() => upstreamSide.closed)
    // B85
    expect(scene.upstream.calls).toHaveLength(calls + 1)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: code, effectStatus: 'unknown' })
  })

  const streams: Readonly<Record<string, readonly [OnCall, code: string]>> = {
    'notifications without end': [
      ({ message }, response) => pour(response, `data: ${JSON.stringify(progress(message.id, 1))}\n\n`),
      'UPSTREAM_INVALID',
    ],
    'comments without end': [(_request, response) => pour(response, ': nothing\n\n'), 'UPSTREAM_INVALID'],
    'one event without end': [(_request, response) => pour(response, 'data: x'), 'UPSTREAM_INVALID'],
    'a line without end': [(_request, response) => pour(response, 'x'.repeat(4096)), 'UPSTREAM_INVALID'],
    silence: [({ message }, response) => void writeEvent(response, progress(message.id, 1)), 'UPSTREAM_TIMEOUT'],
  }
  it.each(Object.keys(streams))('a stream of %s', async name => {
    const [answerWith, code] = streams[name] ?? []
    const scene = sceneFor(code)
    onCall = (request, response) => {
      eventHead(response)
      answerWith?.(request, response)
    }
    const call = await scene.stream('write', { id: 7, meta: PROGRESS })
    const last = (await call.rest()).at(-1)
    expect(last).toMatchObject({ id: 7, error: { data: { code, effect: 'unknown' } } })
    await eventually(() => upstreamSide.closed)
  })
})
