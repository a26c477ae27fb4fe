import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ItemKind } from '../../src/core/model.ts'
import type { Upstream } from '../../src/upstream/index.ts'
import { eventually } from '../support/eventually.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'
import { configOf, createRoom, eventHead, pour, writeEvent } from './room.ts'

let stub: UpstreamStub
let room: Upstream
beforeAll(async () => {
  stub = await startUpstreamStub([{ name: 'a' }])
})
afterAll(() => stub.close())
beforeEach(() => {
  stub.onList = undefined
  stub.onDiscover = undefined
  stub.lists.length = 0
  stub.discovers.length = 0
  room = createRoom(
    configOf(stub.url, { credentialHeaders: [['authorization', 'Bearer ours']], maxResponseBytes: 65_536, timeoutMs: 2_000 }),
  )
})
afterEach(() => room.abort())

const failing = (fetched: Promise<unknown>): Promise<unknown> => fetched.catch((error: unknown) => error)
const LIST = { resultType: 'complete', tools: [] }

describe('what an upstream offers is asked for under our own name', () => {
  it.each([
    ['tool', 'tools/list', 'tools'],
    ['prompt', 'prompts/list', 'prompts'],
    ['resource', 'resources/list', 'resources'],
    ['resourceTemplate', 'resources/templates/list', 'resourceTemplates'],
  ] as const)('%s', async (kind: ItemKind, method, member) => {
    expect((await room.fetchList('tickets', kind, undefined, 'shared')).value).toHaveProperty(`result.${member}`)
    await room.fetchList('tickets', kind, '', 'shared')
    const [first, second] = stub.lists
    expect(first?.headers).toMatchObject({ 'mcp-method': method, authorization: 'Bearer ours' })
    expect(first?.message.method).toBe(method)
    expect(first?.message.params).not.toHaveProperty('cursor')
    expect(second?.message.params).toMatchObject({ cursor: '' })
  })

  it('discovery', async () => {
    expect((await room.discover('tickets', 'shared')).value).toHaveProperty('result.capabilities')
    expect(stub.discovers[0]?.headers).toMatchObject({ 'mcp-method': 'server/discover', authorization: 'Bearer ours' })
  })
})

describe('a list', () => {
  it('may come at the end of a stream', async () => {
    stub.onList = ({ message: { id } }, response) => {
      eventHead(response)
      writeEvent(response, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } })
      writeEvent(response, { jsonrpc: '2.0', id, result: LIST })
    }
    expect((await room.fetchList('tickets', 'tool', undefined, 'shared')).value).toMatchObject({ result: LIST })
  })

  it('that comes in another form, with a question in it, is none', async () => {
    stub.onList = () => ({ resultType: 'input_required', requestState: 's' })
    expect(await failing(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({ code: 'UPSTREAM_INVALID' })
  })

  it('that is an error names its code', async () => {
    stub.onDiscover = ({ message: { id } }, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
    }
    expect(await failing(room.discover('tickets', 'shared'))).toMatchObject({
      code: 'UPSTREAM_INVALID',
      detail: { rpc: -32601, status: 404 },
    })
  })

  // B71, A-100
  it.each([
    ['notifications', `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}\n\n`],
    ['comments', ': nothing\n\n'],
    ['one line', 'x'.repeat(1_000)],
  ] as const)('behind %s without end is cut where a plain one would be', async (_name, line) => {
    let theirs: ServerResponse | undefined
    let written = 0
    stub.onList = (_request, response) => {
      theirs = response
      eventHead(response)
      pour(response, () => {
        written += 1
        return line
      })
    }
    expect(await failing(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({ code: 'UPSTREAM_INVALID' })
    await eventually(() => theirs?.closed === true)
    expect(written * line.length).toBeLessThan(32 * 1024 * 1024)
  })

  it('that is dripped has no more time than a plain one', async () => {
    stub.onList = (_request, response) => {
      eventHead(response)
      const drip = setInterval(() => response.write(':\n'), 20)
      response.once('close', () => clearInterval(drip))
    }
    expect(await failing(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  })
})

// B69
describe('a body in an encoding nobody asked for', () => {
  const body = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: LIST })
  const cases: Readonly<Record<string, readonly [encoding: string, encode: (text: string) => Buffer]>> = {
    gzip: ['gzip', gzipSync],
    deflate: ['deflate', deflateSync],
    br: ['br', brotliCompressSync],
    zstd: ['zstd', zstdCompressSync],
    'br, gzip': ['br, gzip', text => gzipSync(brotliCompressSync(text))],
    'a wrong name': ['utf-8', text => Buffer.from(text)],
    'gzip that is none': ['gzip', text => Buffer.from(text)],
  }
  it.each(Object.keys(cases))('is refused, and the refusal says why: %s', async name => {
    const [encoding, encode] = cases[name] as (typeof cases)[string]
    stub.onList = ({ message: { id } }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(encode(body(id)))
    }
    expect(await failing(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({
      code: 'UPSTREAM_INVALID',
      detail: { reason: 'encoding' },
    })
    expect(stub.lists[0]?.headers['accept-encoding']).toBe('identity')
  })

  it('is refused in a stream too', async () => {
    stub.onList = ({ message: { id } }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      response.end(gzipSync(`data: ${body(id)}\n\n`))
    }
    expect(await failing(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({ detail: { reason: 'encoding' } })
  })

  it('is none when it is called identity', async () => {
    stub.onList = ({ message: { id } }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'identity' }).end(body(id))
    }
    expect((await room.fetchList('tickets', 'tool', undefined, 'shared')).value).toMatchObject({ result: LIST })
  })
})
