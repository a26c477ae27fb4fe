import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventParser, encodeEvent, KEEP_ALIVE } from '../../src/mcp/index.ts'
import { refusalOf } from './support.ts'

const encoder = new TextEncoder()

/** The events of a stream that arrives in pieces of `size` bytes. */
function read(stream: string | Uint8Array, size = Number.POSITIVE_INFINITY, maxBytes = 1_000_000): string[] {
  const bytes = typeof stream === 'string' ? encoder.encode(stream) : stream
  const events: string[] = []
  const parser = createEventParser({ maxBytes, onMessage: data => events.push(data) })
  for (let start = 0; start < bytes.length; start += size) parser.feed(bytes.subarray(start, start + Math.min(size, bytes.length)))
  return events
}

describe('B39 reading events', () => {
  it.each<[string, string, string[]]>([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r', ['a', 'b', 'c']],
    ['data without a space', 'data:a\n\n', ['a']],
    ['only one space is taken away', 'data:  a\n\n', [' a']],
    ['several data lines', 'data: {\ndata: }\n\n', ['{\n}']],
    ['comments and keep-alives', `: hello\n\n${KEEP_ALIVE}data: a\n:x\n\n${KEEP_ALIVE}`, ['a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['only one byte order mark', '\ufeff\ufeffdata: a\n\n', []],
    ['the event type message', 'event: message\ndata: a\n\n', ['a']],
    ['other event types', 'event: endpoint\ndata: a\n\ndata: b\n\n', ['b']],
    ['id, retry and unknown fields', 'id: 1\nretry: 99999999\nretry: x\nfoo: bar\nfoo\ndata: a\n\n', ['a']],
    ['an event without data', 'id: 1\n\nevent: message\n\n', []],
    ['empty data, as resumable servers begin with', 'id: 1\ndata:\n\ndata: a\n\n', ['a']],
    ['no blank line at the end: discarded', 'data: a\n\ndata: b\n', ['a']],
    ['no line end at the end: discarded', 'data: a\n\ndata: b', ['a']],
    ['characters of every length', 'data: aß€😀\n\n', ['aß€😀']],
    ['line separators that are none here', 'data: a\u2028b\u0085c\n\n', ['a\u2028b\u0085c']],
  ])('%s', (_, stream, events) => {
    for (const size of [1, 2, 3, 5, Number.POSITIVE_INFINITY]) expect(read(stream, size)).toEqual(events)
  })

  it('an event is handed over as soon as its end is there', () => {
    const events: string[] = []
    const parser = createEventParser({ maxBytes: 100, onMessage: data => events.push(data) })
    parser.feed(encoder.encode('data: a\r\n\r\ndata'))
    expect(events).toEqual(['a'])
  })

  it('wherever it is cut, a stream reads the same', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => text.replace(/[\r\n]/g, ''))
    const end = fc.constantFrom('\n', '\r\n', '\r')
    const field = fc.tuple(fc.constantFrom('data: ', 'data:', ':', 'event: message', 'id: ', ''), line, end).map(parts => parts.join(''))
    fc.assert(
      fc.property(fc.array(field, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (fields, size) => {
        const stream = `${fields.join('')}\n\n`
        expect(read(stream, size)).toEqual(read(stream))
      }),
    )
  })

  it.each([
    ['a stray byte', [0xff]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('%s ends the stream', (_, bytes) => {
    const stream = Uint8Array.from([...encoder.encode('data: a'), ...bytes, ...encoder.encode('\n\n')])
    for (const size of [1, 100]) expect(refusalOf(() => read(stream, size)).detail).toEqual({ reason: 'event_encoding' })
  })
})

describe('B45 the size of an event', () => {
  it.each([65_537, 1_048_577, 8_388_608])('%i bytes on one line pass when the limit allows them', length => {
    const [event] = read(`data: ${'x'.repeat(length)}\n\n`, 65_536, 8_388_608)
    expect(event?.length).toBe(length)
  })

  it.each<[string, string, number]>([
    ['in one piece', `data: ${'x'.repeat(1_001)}\n\n`, 10_000],
    ['in many pieces', `data: ${'x'.repeat(1_001)}\n\n`, 7],
    ['over many lines', `${'data: x\n'.repeat(501)}\n`, 100],
    ['of many bytes in few characters', `data: ${'€'.repeat(334)}\n\n`, 10_000],
    ['without an end', `data: ${'x'.repeat(5_000)}`, 100],
  ])('one byte over the limit, %s: refused', (_, stream, size) => {
    const refusal = refusalOf(() => read(stream, size, 1_000))
    expect(refusal.code).toBe('UPSTREAM_INVALID')
    expect(refusal.detail).toEqual({ reason: 'event_too_large' })
  })

  it('exactly the limit passes, in bytes', () => {
    expect(read(`data: ${'x'.repeat(1_000)}\n\n`, 7, 1_000)).toHaveLength(1)
    expect(read(`data: ${'€'.repeat(333)}\n\n`, 7, 999)).toHaveLength(1)
  })

  it('comments without end are not kept', () => {
    expect(read(`:${'x'.repeat(100_000)}\ndata: a\n\n`, 1_000, 1_000)).toEqual(['a'])
  })
})

describe('A-98 writing events', () => {
  it('is one data line and a blank one', () => {
    expect(encodeEvent('{"a":1}')).toBe('data: {"a":1}\n\n')
  })

  it.each([
    ['a final in a string', JSON.stringify({ text: '\r\n\r\ndata: {"jsonrpc":"2.0","id":1,"result":{}}' })],
    ['line ends between tokens', '{\r\n\r\n"a":\n1,\r"data":\r\r2\n\n}'],
    ['CR between tokens', '{"a":1,\r\r"data":2}'],
    ['LF between tokens', '{"a":1,\n\n"data":2}'],
    ['a field in a key', JSON.stringify({ 'x\nevent: y\nretry: 99999999\n\n': 1 })],
    ['line separators', JSON.stringify('a\u2028b\u2029c\u0085')],
  ])('%s stays one event with the same meaning', (_, json) => {
    const written = encodeEvent(json)
    expect(written).toMatch(/^data: [^\r\n]*\n\n$/)
    const [event, ...rest] = read(written)
    expect(rest).toEqual([])
    expect(JSON.parse(event ?? '')).toEqual(JSON.parse(json))
  })

  it('any JSON comes back as one event', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent)
        const events = read(encodeEvent(text), 3)
        expect(events).toHaveLength(1)
        expect(JSON.parse(events[0] ?? '')).toEqual(JSON.parse(text))
      }),
    )
  })
})
