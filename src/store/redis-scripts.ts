import { MAX_FIELDS, MAX_LOG_BYTES, MAX_MESSAGE_BYTES, MAX_MESSAGES } from './contract.ts'

/**
 * Each decision is one script on one key, so the key's hash tag is all that a cluster needs. Time is the server's (`TIME`), so processes
 * need not agree on theirs. Every number that arrives is checked again here: what counts effects does not trust its client library.
 */
const WHOLE = `
local function whole(text, low)
  local n = tonumber(text)
  if not n or n ~= math.floor(n) or n < low or n > 9007199254740991 then error('not a whole number in range') end
  return n
end
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local nowMs = math.floor(nowUs / 1000)
`

/** KEYS: cell. ARGV: emission interval in µs, burst, cost. Returns allowed, remaining, wait in µs, reset in µs. See rate.ts. */
export const TAKE = `${WHOLE}
local emission, burst, cost = whole(ARGV[1], 1), whole(ARGV[2], 1), whole(ARGV[3], 1)
if cost > burst then error('cost above burst') end
local span = emission * burst
local from = tonumber(redis.call('GET', KEYS[1]) or nowUs)
local function keep(tat)
  redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', string.format('%.0f', math.ceil((tat - nowUs) / 1000)))
end
if from < nowUs then from = nowUs elseif from > nowUs + span then
  from = nowUs + span
  keep(from)
end
local next = from + emission * cost
local wait = next - span - nowUs
if wait > 0 then return { 0, math.floor((nowUs + span - from) / emission), wait, from - nowUs } end
keep(next)
return { 1, math.floor((nowUs + span - next) / emission), 0, next - nowUs }
`

export const BEGUN = 0
export const BUSY = 1
export const MISMATCH = 2
export const UNKNOWN = 3
export const COMMITTED = 4

/**
 * KEYS: record. ARGV: fingerprint, lease in ms, ttl in ms. Fields: s state, f fence, p fingerprint, l end of lease, t ttl, a answer.
 * A reservation that nobody dispatched expires with its lease, also where the record outlives it by a moment: nothing was sent, so the
 * key is free again. The fence is the server's time
 * in µs: it rises with every begin, and needs no record of what was released or expired.
 */
export const BEGIN = `${WHOLE}
local lease, ttl = whole(ARGV[2], 1), whole(ARGV[3], 1)
local r = redis.call('HMGET', KEYS[1], 's', 'p', 'l')
local left = r[1] and tonumber(r[3]) - nowMs
if r[1] and not (r[1] == 'r' and left <= 0) then
  if r[2] ~= ARGV[1] then return { ${MISMATCH} } end
  if r[1] == 'c' then return { ${COMMITTED}, redis.call('HGET', KEYS[1], 'a') } end
  if r[1] == 'u' or left <= 0 then return { ${UNKNOWN} } end
  return { ${BUSY}, left }
end
local fence = string.format('%.0f', nowUs)
redis.call('HSET', KEYS[1], 's', 'r', 'f', fence, 'p', ARGV[1], 'l', string.format('%.0f', nowMs + lease), 't', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { ${BEGUN}, nowUs }
`

/** KEYS: record. ARGV: d(ispatch) | c(ommit) | r(elease) | u(nknown), fence, lease or ttl in ms, answer. Returns 1, or 0 when the fence no longer holds. */
export const SETTLE = `${WHOLE}
local op, ms = ARGV[1], whole(ARGV[3], 0)
whole(ARGV[2], 1)
local r = redis.call('HMGET', KEYS[1], 's', 'f', 'l', 't')
if (r[1] ~= 'r' and r[1] ~= 'd') or r[2] ~= ARGV[2] or tonumber(r[3]) <= nowMs then return 0 end
if op == 'r' then
  redis.call('DEL', KEYS[1])
  return 1
end
if op == 'd' then
  redis.call('HSET', KEYS[1], 's', 'd', 'l', string.format('%.0f', nowMs + ms))
  ms = ms + tonumber(r[4])
elseif op == 'c' then
  redis.call('HSET', KEYS[1], 's', 'c')
  if #ARGV > 3 then redis.call('HSET', KEYS[1], 'a', ARGV[4]) end
elseif op == 'u' then
  redis.call('HSET', KEYS[1], 's', 'u')
else
  error('unknown verb')
end
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ms))
return 1
`

// Telling is worth trying and no more: a user without the right to this channel, and whoever was not listening, read again later.
const TELL = `redis.pcall('PUBLISH', ARGV[1], '')`

/** KEYS: hash. ARGV: channel, ttl in ms, field, value (absent: removed). Returns 1, or 0 when there is no room. */
export const SET_FIELD = `${WHOLE}
local ttl = whole(ARGV[2], 1)
if #ARGV > 3 then
  if #ARGV[4] > ${MAX_MESSAGE_BYTES} then return 0 end
  local names = redis.call('HKEYS', KEYS[1])
  local count, bytes = 1, #ARGV[3] + #ARGV[4]
  for _, name in ipairs(names) do
    if name ~= ARGV[3] then
      count = count + 1
      bytes = bytes + #name + redis.call('HSTRLEN', KEYS[1], name)
    end
  end
  if count > ${MAX_FIELDS} or bytes > ${MAX_LOG_BYTES} then return 0 end
  redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
else
  redis.call('HDEL', KEYS[1], ARGV[3])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
${TELL}
return 1
`

/** KEYS: list. ARGV: channel, ttl in ms, message. Its head holds the bytes of all that follow. Returns the place, or -1 when there is no room. */
export const APPEND = `${WHOLE}
local ttl, size = whole(ARGV[2], 1), #ARGV[3]
if size > ${MAX_MESSAGE_BYTES} then return -1 end
local place = redis.call('LLEN', KEYS[1]) - 1
if place >= 0 then
  local bytes = tonumber(redis.call('LINDEX', KEYS[1], 0)) + size
  if place >= ${MAX_MESSAGES} or bytes > ${MAX_LOG_BYTES} then return -1 end
  redis.call('LSET', KEYS[1], 0, string.format('%.0f', bytes))
  redis.call('RPUSH', KEYS[1], ARGV[3])
else
  place = 0
  redis.call('RPUSH', KEYS[1], size, ARGV[3])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
${TELL}
return place
`
