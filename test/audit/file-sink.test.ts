import { mkdir, mkdtemp, open as openFile, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFileSink, type FileSinkSettings, type Sink } from '../../src/audit/index.ts'
import { readTrail } from '../support/audit-trail.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { createTestAudit, createTestClock, runCall } from './desk.ts'
import { productsOf } from './products.ts'

let folder = ''
const sinks: Sink[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wicketgate-audit-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(sinks.splice(0).map(sink => sink.close()))
  await rm(folder, { recursive: true, force: true })
})

const pathOf = (name = 'trail.jsonl'): string => join(folder, name)
function open(settings: Partial<FileSinkSettings> = {}): Sink {
  const sink = createFileSink({ path: pathOf(), fsync: 'intent', maxBytes: 1_000_000, keep: 3, retryMs: 20, flushMs: 5, ...settings })
  sinks.push(sink)
  return sink
}
const linesOf = async (path = pathOf()): Promise<string[]> => (await readFile(path, 'utf8')).split('\n').slice(0, -1)

describe('the file sink', () => {
  it('appends every line, whole and in order, and keeps the file to its owner', async () => {
    const sink = open()
    const lines = Array.from({ length: 2_000 }, (_, index) => `{"n":${index},"text":"é😀"}`)
    for (const line of lines) expect(sink.write(line)).toBe(true)
    await sink.close()
    expect(await linesOf()).toEqual(lines)
    expect((await stat(pathOf())).mode & 0o777).toBe(0o600)
  })

  it('has a durable line, and all before it, in the file when the promise resolves', async () => {
    const sink = open({ flushMs: 60_000 })
    sink.write('before')
    await sink.writeDurably('durable')
    expect(await linesOf()).toEqual(['before', 'durable'])
  })

  it.each(['intent', 'always', 'never'] as const)('takes many durable lines at once (fsync: %s)', async fsync => {
    const sink = open({ fsync })
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`)
    await Promise.all(lines.map(line => sink.writeDurably(line)))
    expect(await linesOf()).toEqual(lines)
  })

  it('writes an ordinary line soon without being asked', async () => {
    open().write('alone')
    await eventuallyHolds(async () => expect(await linesOf()).toEqual(['alone']))
  })

  it('begins on a new line after a process that died in the middle of one', async () => {
    await writeFile(pathOf(), '{"whole":1}\n{"torn":')
    await open().writeDurably('{"next":1}')
    expect(await linesOf()).toEqual(['{"whole":1}', '{"torn":', '{"next":1}'])
  })
})

describe('fdatasync', () => {
  it.each([
    ['intent', 1, 20],
    ['always', 1, 20],
    ['never', 0, 0],
  ] as const)('is shared by 500 concurrent intents (fsync: %s)', async (fsync, atLeast, atMost) => {
    const syncs = await countSyncs()
    const sink = open({ fsync })
    await Promise.all(Array.from({ length: 500 }, (_, index) => sink.writeDurably(`line ${index}`)))
    expect(syncs.mock.calls.length).toBeGreaterThanOrEqual(atLeast)
    expect(syncs.mock.calls.length).toBeLessThanOrEqual(atMost)
  })

  it('is not spent on ordinary lines (fsync: intent)', async () => {
    const syncs = await countSyncs()
    const sink = open()
    for (let index = 0; index < 10; index++) sink.write('line')
    await sink.close()
    expect(syncs).not.toHaveBeenCalled()
  })

  async function countSyncs() {
    const handle = await openFile(pathOf('probe'), 'w')
    await handle.close()
    return vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  }
})

describe('rotation', () => {
  it('puts files aside by size, keeps as many as it is told, and tears no line', async () => {
    const sink = open({ maxBytes: 100, keep: 2 })
    const lines = Array.from({ length: 50 }, (_, index) => `line ${String(index).padStart(4, '0')}`)
    for (const line of lines) await sink.writeDurably(line)
    await sink.close()
    expect((await readdir(folder)).sort()).toEqual(['trail.jsonl', 'trail.jsonl.1', 'trail.jsonl.2'])
    const kept = [...(await linesOf(pathOf('trail.jsonl.2'))), ...(await linesOf(pathOf('trail.jsonl.1'))), ...(await linesOf())]
    expect(kept).toEqual(lines.slice(-kept.length))
    for (const name of await readdir(folder)) expect((await stat(pathOf(name))).size).toBeLessThanOrEqual(100)
  })

  it('splits a burst that is larger than a file', async () => {
    const sink = open({ maxBytes: 100, keep: 9 })
    for (let index = 0; index < 30; index++) sink.write(`line ${String(index).padStart(4, '0')}`)
    await sink.close()
    for (const name of await readdir(folder)) expect((await stat(pathOf(name))).size).toBeLessThanOrEqual(100)
  })

  it('opens the file anew after reopen(), as logrotate expects', async () => {
    const sink = open()
    await sink.writeDurably('old')
    await rename(pathOf(), pathOf('moved'))
    sink.reopen()
    await sink.writeDurably('new')
    expect([await linesOf(pathOf('moved')), await linesOf()]).toEqual([['old'], ['new']])
  })

  it('notices by itself that the file was removed', async () => {
    const clock = createTestClock()
    const sink = open({ clock })
    await sink.writeDurably('swallowed')
    await rm(pathOf())
    clock.advance(1_500)
    await sink.writeDurably('seen')
    expect(await linesOf()).toEqual(['seen'])
  })
})

describe('a disk that is full or gone', () => {
  it('A-114: refuses durable lines at once, keeps ordinary ones, and catches up when the disk is back', async () => {
    await symlink('/dev/full', pathOf())
    const sink = open()
    await expect(sink.writeDurably('{"intent":1}')).rejects.toThrow('ENOSPC')
    expect(sink.problem()).toBeDefined()
    await expect(sink.writeDurably('{"intent":2}')).rejects.toThrow('failing')
    expect(sink.write('{"outcome":1}')).toBe(true)
    await rm(pathOf())
    await eventuallyHolds(() => expect(sink.problem()).toBeUndefined())
    await sink.writeDurably('{"intent":3}')
    expect(await linesOf()).toEqual(['{"intent":1}', '{"outcome":1}', '{"intent":3}'])
  })

  it('says from the start what it cannot write when its folder is missing, and recovers when it appears', async () => {
    const sink = open({ path: join(folder, 'later', 'trail.jsonl') })
    await eventuallyHolds(() => expect(sink.problem()).toBe(`${join(folder, 'later', 'trail.jsonl')} cannot be written: ENOENT`))
    await mkdir(join(folder, 'later'))
    await eventuallyHolds(() => expect(sink.problem()).toBeUndefined())
  })

  it('A-114: bounds its queue and counts what it lets go', async () => {
    await symlink('/dev/full', pathOf())
    const sink = open({ maxQueueBytes: 1_000 })
    await eventuallyHolds(() => {
      sink.write('x'.repeat(99))
      expect(sink.problem()).toBeDefined()
    })
    for (let index = 0; index < 100; index++) sink.write('x'.repeat(99))
    expect(sink.depth()).toBeLessThanOrEqual(1_000)
    expect(sink.lost()).toBeGreaterThan(80)
    expect(sink.write('x'.repeat(99))).toBe(false)
  })

  it('A-114: a full disk lets reads pass and refuses side effects, through the whole room', async () => {
    await symlink('/dev/full', pathOf())
    const audit = createTestAudit({ sink: open() })
    expect(await runCall(audit, productsOf({}))).toBeUndefined()
    expect(await runCall(audit, productsOf({ effect: 'read' }))).toBeDefined()
    await rm(pathOf())
    await eventuallyHolds(() => expect(audit.problem()).toBeUndefined())
    expect(await runCall(audit, productsOf({}))).toBeDefined()
    await audit.close()
    const outcomes = readTrail(pathOf())
      .filter(record => record.kind === 'request')
      .map(record => record.outcome)
    expect(outcomes).toEqual(['AUDIT_UNAVAILABLE', 'OK', 'OK'])
  })
})
