import { CelScalar, celEnv, celFunc, isCelError, parse, plan } from '@bufbuild/cel'

const { BOOL, DOUBLE, DYN, INT, STRING } = CelScalar

const library = celEnv()

/** The library's own conversion of a text, as the value it makes. */
function converter(name: string) {
  const convert = plan(library, parse(`${name}(text)`))
  return (text: string) => {
    const value = convert({ text })
    if (isCelError(value)) throw new RangeError(`not a ${name}`)
    return value
  }
}

/**
 * The library reads a text as JavaScript does, where an empty one is 0, `0x10` is 16 and white space is nothing. Only what every reader
 * takes for the same number is one; the length is bounded because an int64 has 19 digits.
 */
function textOf(pattern: RegExp, name: string) {
  const convert = converter(name)
  return (text: string) => {
    if (!pattern.test(text)) throw new RangeError(`not a ${name}`)
    return convert(text)
  }
}

const toInt = textOf(/^[+-]?[0-9]{1,19}$/, 'int')
const toUint = textOf(/^[0-9]{1,20}$/, 'uint')
const toDouble = textOf(/^[+-]?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?$/, 'double')
const toDuration = textOf(/[0-9]/, 'duration')

function finiteOf(text: string) {
  const value = toDouble(text)
  if (!Number.isFinite(value)) throw new RangeError('not a double')
  return value
}

const toTimestamp = converter('timestamp')

const DATE = /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):/

/** JavaScript makes March of the 31st of February. */
function timestampOf(text: string) {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? []
  const date = new Date(`${year}-${month}-01T00:00:00Z`)
  date.setUTCDate(Number(day))
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day) || day === '00') throw new RangeError('not a timestamp')
  return toTimestamp(text)
}

/** Where the library differs from cel-spec, or says yes to what two readers read differently: these take the place of its own. */
export const STRICT_FUNCTIONS = [
  celFunc('int', [STRING], DYN, toInt),
  celFunc('uint', [STRING], DYN, toUint),
  celFunc('double', [STRING], DYN, finiteOf),
  celFunc('duration', [STRING], DYN, toDuration),
  celFunc('timestamp', [STRING], DYN, timestampOf),
  // Seconds since the epoch; the library takes milliseconds, so that every time of our days would lie in January 1970.
  celFunc('timestamp', [INT], DYN, seconds => timestampOf(new Date(Number(seconds) * 1000).toISOString())),
  // JavaScript compares the two exactly; the library rounds the int first.
  celFunc('_<_', [INT, DOUBLE], BOOL, (left, right) => left < right),
  celFunc('_<_', [DOUBLE, INT], BOOL, (left, right) => left < right),
  celFunc('_<=_', [INT, DOUBLE], BOOL, (left, right) => left <= right),
  celFunc('_<=_', [DOUBLE, INT], BOOL, (left, right) => left <= right),
  celFunc('_>_', [INT, DOUBLE], BOOL, (left, right) => left > right),
  celFunc('_>_', [DOUBLE, INT], BOOL, (left, right) => left > right),
  celFunc('_>=_', [INT, DOUBLE], BOOL, (left, right) => left >= right),
  celFunc('_>=_', [DOUBLE, INT], BOOL, (left, right) => left >= right),
]
