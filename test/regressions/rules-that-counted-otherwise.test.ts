/*
 * A rule said `timestamp(args.from) <= now`, with seconds, as CEL has it. The library took them for milliseconds, so that every time of
 * our days lay in January 1970 and the rule held for next year too. The same library read "" and "  " as 0, "0x4" as 4, the 31st of
 * February as a day, and rounded a whole number before it compared it with one that had a fraction or was large. And `contains` with
 * both texts from the caller held the event loop for seconds.
 * So: what is no number, time or duration for every reader is an error, and so a no; numbers compare by value; a search has a price.
 */
import { expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import { compileCel } from '../../src/policy/cel.ts'
import { principal } from '../policy/folder.ts'

const clock = { now: () => Date.UTC(2026, 10, 30, 9), monotonicMs: () => 0 }

function holds(source: string, args: string): boolean {
  const cel = compileCel(source, clock)
  if ('problems' in cel) throw new Error(cel.problems.map(each => each.message).join('; '))
  return cel.evaluate(principal(), { name: 'pay', alias: 'acme', effect: 'write' }, parseJsonText(args).value as never)
}

it.each<[string, string, boolean]>([
  ['timestamp(args.from) <= now', '1700000000', true],
  ['timestamp(args.from) <= now', '1900000000', false],
  ['timestamp(args.from) <= now', '9007199254740993', false],
  ['int(timestamp(args.from)) == args.from', '1700000000', true],
  ['timestamp(args.from) <= now', '"2024-02-29T23:59:59.5+01:00"', true],
  ['timestamp(args.from) <= now', '"2025-02-29T00:00:00Z"', false],
  ['timestamp(args.from) <= now', '"2025-02-00T00:00:00Z"', false],
  ['timestamp(args.from) <= now', '"2025-02-01T24:00:00Z"', false],
  ['int(args.from) <= 5', '"4"', true],
  ['int(args.from) <= 5', '"-4"', true],
  ['int(args.from) <= 5', '""', false],
  ['int(args.from) <= 5', '" 4 "', false],
  ['int(args.from) <= 5', '"0x4"', false],
  ['uint(args.from) <= 5u', '"4"', true],
  ['uint(args.from) <= 5u', '""', false],
  ['double(args.from) <= 5.0', '"4.5e0"', true],
  ['double(args.from) <= 5.0', '""', false],
  ['double(args.from) >= 5.0', '"1e999"', false],
  ['!(double(args.from) > 5.0)', '"NaN"', false],
  ['duration(args.from) <= duration("1h")', '"1800s"', true],
  ['duration(args.from) <= duration("1h")', '""', false],
  ['duration(args.from) <= duration("1h")', '"-"', false],
  ['args.from >= 9007199254740993', '9007199254740992', false],
  ['args.from <= 9007199254740992.0', '9007199254740993', false],
  ['args.from <= 9007199254740992.5', '9007199254740993', false],
  ['args.from <= 9223372036854775807', '9223372036854775000', true],
  ['args.from == 9223372036854775000', '9223372036854775000', true],
  ['args.from <= 9223372036854775807', '9223372036854776000', false],
  ['args.from >= -9223372036854775807', '-9223372036854776000', false],
  ['args.from < 100 && args.from > 99 && args.from >= 99 && args.from <= 100', '99.5', true],
])('%s with %s is %j', (source, from, expected) => {
  expect(holds(source, `{"from":${from}}`)).toBe(expected)
})

it('a search that costs the product of two lengths is a no, not a pause', () => {
  const args = JSON.stringify({ text: 'a'.repeat(900_000), part: `ab${'a'.repeat(60_000)}` })
  expect(holds('args.text.contains(args.part)', args)).toBe(false)
  expect(holds('!args.text.contains(args.part)', args)).toBe(false)
  expect(holds('args.text.contains("aaa") && !args.text.contains("secret")', args)).toBe(true)
})
