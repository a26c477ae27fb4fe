/*
 * All callers share a program's pipes. One of them called a tool that gives back what it is given, with something that the program's own
 * JSON writer spells as no reader does (NaN), or nests deeper than is read; or its call brought progress without a number, or a 65th
 * question. The pipe was let go of for it and the program killed: the calls of everybody else failed, with effects nobody knows.
 * So: what one call brings ends that call at most; the others go on in the same process.
 */
import { afterEach, expect, it } from 'vitest'
import type { Upstream } from '../../src/upstream/index.ts'
import { configOf, createCaller, createRoom, type IntentShape, intentOf } from '../upstream/room.ts'

let room: Upstream
afterEach(() => room.abort())

/** Answers `good` when `bad` has done its worst. */
const PROGRAM = `
const [, kind, modern] = process.argv
const line = text => process.stdout.write(text + '\\n')
const say = message => line(JSON.stringify({ jsonrpc: '2.0', ...message }))
let good
require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
  const { id, method, params } = JSON.parse(text)
  if (id === undefined || method === undefined) return
  if (method === 'server/discover' && modern) return say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' } })
  if (method === 'initialize') return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
  if (method !== 'tools/call') return say({ id, error: { code: -32601, message: 'no' } })
  if (params.arguments.good) return (good = id)
  if (kind === 'nan') line('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":{"mean":NaN}}}')
  if (kind === 'deep') line('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":' + '{"a":'.repeat(70) + '1' + '}'.repeat(70) + '}}')
  if (kind === 'batch') line('[{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[]}}]')
  if (kind === 'progress') say({ method: 'notifications/progress', params: { progressToken: id, progress: 'half' } })
  if (kind === 'questions') for (let n = 0; n < 65; n++) say({ id: 'q' + n, method: 'elicitation/create', params: {} })
  say({ id: good, result: { resultType: 'complete', content: [{ type: 'text', text: 'good' }] } })
})
`
const call = (argumentsText: string, shape: IntentShape = {}): IntentShape => ({ ...shape, call: { argumentsText } })

/** Opens the room; returns what becomes of its process. */
function open(kind: string, modern: string): readonly unknown[] {
  const ends: unknown[] = []
  room = createRoom(
    configOf('stdio:x', {
      era: 'auto',
      timeoutMs: 3_000,
      transport: {
        kind: 'stdio',
        command: [process.execPath, '-e', PROGRAM, kind, modern],
        environment: {},
        secrets: [],
        directory: undefined,
        processes: 1,
        logsStderr: true,
      },
    }),
    { report: (name, facts) => name === 'upstream.process' && facts.state !== 'started' && ends.push(facts) },
  )
  return ends
}

it.each([
  ['a number that is none', 'nan', ''],
  ['a number that is none, in 2026-07-28', 'nan', 'modern'],
  ['what is nested too deeply', 'deep', ''],
  ['what is nested too deeply, in 2026-07-28', 'deep', 'modern'],
  ['a batch', 'batch', ''],
  ['progress without a number', 'progress', ''],
])('takes nothing from the other calls of a program: %s', async (_name, kind, modern) => {
  const ends = open(kind, modern)
  const good = room.send(intentOf(call('{"good":true}')), createCaller())
  await room.discover('tickets', 'shared')
  await new Promise(resolve => setTimeout(resolve, 100))
  const intent = intentOf(call('{}', { principal: { subject: 'mallory' } }))
  Object.assign(intent.ticket.admission.checked.grant.call.meta, { progressToken: 'p' })
  const bad = room.send(intent, createCaller()).catch((error: unknown) => error)
  expect((await good).answer).toMatchObject({ kind: 'result' })
  // Whose it was cannot be known, so that it fails by its time, unless it says it.
  expect(await bad).toMatchObject({ open: { effect: 'unknown' } })
  expect(ends).toEqual([])
})

it.each([
  ['', 'nan', 'json'],
  ['modern', 'nan', 'json'],
  ['', 'questions', 'requests'],
])('fails the call at once where no other can be meant (%s %s)', async (modern, kind, reason) => {
  const ends = open(kind, modern)
  await room.discover('tickets', 'shared')
  const error = await room.send(intentOf(call('{}')), createCaller()).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason } })
  expect(ends).toEqual([])
})
