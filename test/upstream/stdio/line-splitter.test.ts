import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from '../../../src/upstream/stdio/line-splitter.ts'

function split(chunks: readonly Uint8Array[], maxBytes = 1_000_000) {
  const lines: string[] = []
  const tooLong: number[] = []
  const splitter = new LineSplitter(
    maxBytes,
    line => lines.push(line.toString('latin1')),
    bytes => tooLong.push(bytes),
  )
  const goesOn = chunks.map(chunk => splitter.feed(Buffer.from(chunk)))
  return { lines, tooLong, goesOn }
}

/** The same bytes in pieces of these lengths, again and again. */
function* cut(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  let from = 0
  for (let index = 0; from < bytes.length; index++) {
    const length = lengths[index % lengths.length] ?? 1
    yield bytes.subarray(from, from + length)
    from += length
  }
}

const line = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ minLength: 1, maxLength: 5 }).map(text => text.repeat(5_000)),
)

test('however lines come in pieces, they are the same lines; empty ones are none, and CRLF ends one too', () => {
  fc.assert(
    fc.property(
      fc.array(
        line.map(text => text.replace(/[\r\n]/g, '.')),
        { maxLength: 8 },
      ),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 5 }),
      (texts, isCrlf, lengths) => {
        const bytes = Buffer.from(texts.map(text => `${text}${isCrlf ? '\r\n' : '\n'}`).join(''), 'latin1')
        expect(split([...cut(bytes, lengths)]).lines).toEqual(
          texts.map(text => Buffer.from(text, 'latin1').toString('latin1')).filter(text => text !== ''),
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('a line that is not ended yet is none', () => {
  expect(split([Buffer.from('a\nb')]).lines).toEqual(['a'])
})

test('a line that is too long is thrown away alone; one that goes on and on is the end', () => {
  const long = Buffer.alloc(11, 'x')
  const { lines, tooLong, goesOn } = split([Buffer.from('a\n'), long, Buffer.from('\nb\n'), Buffer.alloc(80, 'y'), Buffer.from('y')], 10)
  expect(lines).toEqual(['a', 'b'])
  expect(tooLong).toEqual([11])
  expect(goesOn).toEqual([true, true, true, true, false])
})

test('a line of a megabyte that comes byte by byte is kept in few pieces', () => {
  const before = process.memoryUsage().heapUsed
  const splitter = new LineSplitter(
    2_000_000,
    () => {},
    () => {},
  )
  const byte = Buffer.from('x')
  for (let count = 0; count < 1_000_000; count++) splitter.feed(byte)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
  expect(splitter.feed(Buffer.from('\n'))).toBe(true)
})
