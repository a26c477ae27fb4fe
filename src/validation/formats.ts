import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js'

export type FormatTest = (text: string) => boolean

const isDate = testOf(fullFormats.date)
const isTime = testOf(fullFormats.time)

/** The library's own looks for the `T` everywhere first, and takes its time for a text of nothing else. */
function isDateTime(text: string): boolean {
  return /[tT\s]/.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

/** The library has three ways to say it: an expression, a function, or an object with a function. */
function testOf(format: unknown): FormatTest {
  if (format instanceof RegExp) return text => format.test(text)
  const test = typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format
  if (typeof test !== 'function') throw new Error('a format without a test')
  return text => test(text) === true
}

/**
 * Formats that are asserted, as the SDKs' own validators do: those whose check is linear in the text and right for every legal
 * value. All others, `int64` and vendor names included, are annotations (JSON Schema 2020-12 validation §7.2). Left out on
 * purpose: `regex` compiles the caller's text, `url`, `uri-template` and `byte` refuse legal values or backtrack.
 */
export const FORMATS: ReadonlyMap<string, FormatTest> = new Map([
  ['date-time', isDateTime],
  ...(['date', 'time', 'duration', 'hostname', 'ipv4', 'ipv6', 'uuid', 'json-pointer'] as const).map(
    name => [name, testOf(fullFormats[name])] as const,
  ),
  // The exhaustive forms of these three backtrack and refuse some legal values.
  ...(['email', 'uri', 'uri-reference'] as const).map(name => [name, testOf(fastFormats[name])] as const),
])
