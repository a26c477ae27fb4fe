import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WriteQueue } from '../../../src/upstream/stdio/write-queue.ts'

function written(text: string): string {
  const stream = new PassThrough({ highWaterMark: 1_000_000 })
  new WriteQueue(stream).push(text)
  return String(stream.read())
}

test('any JSON, however it is spaced, is one line that says the same to whoever reads lines [REQ-STDIO-LINE]', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,4}$/)
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'grapheme' }), space, space, (value, name, before, after) => {
      const text = `${before}{${after}${JSON.stringify(`${name}\u2028\u0085`)}${before}:${after}${value}${before}}${after}`
      const line = written(text)
      expect(line.endsWith('\n')).toBe(true)
      expect(line.slice(0, -1)).not.toMatch(/[\n\r\u0085\u2028\u2029]/)
      expect(JSON.parse(line)).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})

test('what waits is sent in order, once there is room, and what is taken back is not', () => {
  const stream = new PassThrough({ highWaterMark: 4 })
  const queue = new WriteQueue(stream)
  const [first, second, third] = ['"first"', '"second"', '"third"'].map(text => queue.push(text))
  expect([first, second, third].map(each => each?.isSent)).toEqual([true, false, false])
  if (second !== undefined) queue.remove(second)
  stream.setEncoding('utf8')
  const read: string[] = []
  stream.on('data', text => read.push(text))
  return new Promise<void>(resolve => setImmediate(resolve)).then(() => {
    expect(read.join('')).toBe('"first"\n"third"\n')
    expect(second?.isSent).toBe(false)
  })
})
