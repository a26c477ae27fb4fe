import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createStreamSink } from '../../src/audit/index.ts'

describe('the stream sink', () => {
  it('writes one line per record', async () => {
    const chunks: string[] = []
    const sink = createStreamSink(new Writable({ write: (chunk, _, done) => done(void chunks.push(String(chunk))) }))
    expect(sink.write('a')).toBe(true)
    await sink.writeDurably('b')
    await sink.close()
    expect(chunks.join('')).toBe('a\nb\n')
  })

  it('lets lines go when its reader is too slow, and refuses durable ones', async () => {
    const sink = createStreamSink(new Writable({ write: () => undefined }), { maxQueueBytes: 100, stallMs: 10 })
    for (let index = 0; index < 100; index++) sink.write('x'.repeat(9))
    expect(sink.depth()).toBeLessThanOrEqual(120)
    expect(sink.lost()).toBeGreaterThan(80)
    await expect(sink.writeDurably('y')).rejects.toThrow('queue full')
  })

  it('gives up waiting for a reader that does not take the line', async () => {
    const sink = createStreamSink(new Writable({ write: () => undefined }), { stallMs: 10 })
    await expect(sink.writeDurably('y')).rejects.toThrow('stalled')
    expect(sink.problem()).toBeDefined()
  })

  it('survives a reader that goes away', async () => {
    const stream = new Writable({ write: (_, __, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })) })
    const sink = createStreamSink(stream)
    await expect(sink.writeDurably('y')).rejects.toThrow('stream')
    expect(sink.problem()).toBeDefined()
    expect(sink.write('z')).toBe(false)
  })
})
