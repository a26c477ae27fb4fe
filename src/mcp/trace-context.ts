/** W3C Trace Context §3.2, version 00: other versions and all-zero ids are not carried. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const MAX_STATE_LENGTH = 512
const MAX_STATE_MEMBERS = 32
const STATE_KEY = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

export function isTraceparent(value: unknown): value is string {
  return typeof value === 'string' && TRACEPARENT.test(value)
}

/** W3C Trace Context §3.3: `key=value` members in a comma-separated list, unique keys; empty members are allowed. */
export function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_STATE_LENGTH) return false
  const keys = new Set<string>()
  for (const part of value.split(',')) {
    const member = part.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')
    if (member === '') continue
    const equals = member.indexOf('=')
    const key = member.slice(0, Math.max(equals, 0))
    if (!STATE_KEY.test(key) || !STATE_VALUE.test(member.slice(equals + 1)) || keys.has(key)) return false
    keys.add(key)
  }
  return keys.size > 0 && keys.size <= MAX_STATE_MEMBERS
}
