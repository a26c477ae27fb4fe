import { randomBytes } from 'node:crypto'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PAIRS = Array.from({ length: 1024 }, (_, index) => `${CROCKFORD[index >> 5]}${CROCKFORD[index & 31]}`)
function pair(value: number): string {
  return PAIRS[value & 1023] as string
}

/** 50 bits of a whole number as ten characters that sort as the number does. */
function tenCharacters(value: number): string {
  const high = Math.floor(value / 2 ** 30)
  return pair(high >> 10) + pair(high) + pair(value >>> 20) + pair(value >>> 10) + pair(value)
}

/**
 * Makes record ids in the form of a ULID: ten characters of time, eight of this process, eight that count. They sort by time,
 * within one process strictly in the order they were made; a wall clock that jumps back does not make them go back.
 */
export function createRecordIds(): (nowMs: number) => string {
  const process = Array.from(randomBytes(8), byte => CROCKFORD[byte & 31]).join('')
  let lastMs = -1
  let prefix = ''
  let count = 0
  return nowMs => {
    if (nowMs > lastMs) {
      lastMs = nowMs
      prefix = tenCharacters(Math.floor(nowMs)) + process
    }
    count += 1
    return prefix + pair(Math.floor(count / 2 ** 30)) + pair(count >>> 20) + pair(count >>> 10) + pair(count)
  }
}
