import type { IdempotencyPolicy } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { canonicalJson, compilePointer, ExactNumber, type Json } from '../core/json.ts'
import type { Call, CheckedCall } from '../core/model.ts'

/** The key of one call, and what follows from where it was found. */
export interface CallKey {
  readonly text: string
  readonly carrier: 'caller' | 'argument' | 'derived'
  /** What the key is a key of: everything its caller does, or one tool. */
  readonly space: 'caller' | 'argument' | 'derived'
  readonly policy: IdempotencyPolicy
}

/** A caller that sends a key for an effect wants it honoured, also where policy does not ask for one. */
const UNASKED: IdempotencyPolicy = { key: 'header', required: false, ttlMs: 24 * 3600_000, windowMs: 24 * 3600_000 }

/**
 * Looks in every place a key may stand. `undefined`: the call has none and needs none. Throws IDEMPOTENCY_KEY_REQUIRED, and
 * IDEMPOTENCY_KEY_INVALID for a malformed one or two that differ.
 */
export function findCallKey({ grant, canonicalArguments }: CheckedCall): CallKey | undefined {
  // Everything else is a read, or about a task, whose call had the key.
  if (grant.call.method !== 'tools/call') return undefined
  const policy = grant.policy.idempotency ?? (grant.effect === 'read' ? undefined : UNASKED)
  if (policy === undefined) return undefined
  // A model mints a new key on every retry: where policy says derived, what it sends along does not count.
  if (policy.key === 'derived') return { text: canonicalArguments, carrier: 'derived', space: 'derived', policy }

  const sent = agree(headerKey(grant.call), metaKey(grant.call.meta.idempotencyKey))
  const argument = typeof policy.key === 'object' ? argumentKey(grant.call.arguments, policy.key.argument) : undefined
  const text = agree(sent, argument)
  if (text !== undefined) {
    // Where policy names an argument, a key that came another way is looked for in the same place: else one key could run twice.
    const space = typeof policy.key === 'object' ? 'argument' : 'caller'
    return { text, carrier: argument === undefined ? 'caller' : 'argument', space, policy }
  }
  if (policy.required) throw required(policy)
  return undefined
}

/** Of a call whose record was begun by its first leg: what a later one brings for a key changes nothing. */
export function keyOfHeld({ grant }: CheckedCall): CallKey {
  const policy = grant.policy.idempotency ?? UNASKED
  return policy.key === 'derived'
    ? { text: '', carrier: 'derived', space: 'derived', policy }
    : { text: '', carrier: 'caller', space: 'caller', policy }
}

function agree(one: string | undefined, other: string | undefined): string | undefined {
  if (one !== undefined && other !== undefined && one !== other) throw invalid('two keys differ')
  return one ?? other
}

const BARE = /^[\x21-\x7e]{1,255}$/
const PRINTABLE = /^[\x20-\x7e]{1,255}$/
/** An RFC 8941 string without parameters, as draft-ietf-httpapi-idempotency-key-header asks for. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

function headerKey(call: Call): string | undefined {
  const values = call.headers.get('idempotency-key')
  if (values === undefined || values.length === 0) return undefined
  const [value = ''] = values
  if (values.length > 1) throw invalid('the header appears more than once')
  const key = value.startsWith('"') ? QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1') : value
  if (key === undefined || !(value.startsWith('"') ? PRINTABLE : BARE).test(key)) throw invalid('the header is malformed')
  return key
}

function metaKey(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !PRINTABLE.test(value)) throw invalid('the _meta value is malformed')
  return value
}

/** Pointers come from policy, so there are few. */
const pointers = new Map<string, (value: Json) => Json | undefined>()

function argumentKey(callArguments: Json, pointer: string): string | undefined {
  let find = pointers.get(pointer)
  if (find === undefined) {
    find = compilePointer(pointer)
    pointers.set(pointer, find)
  }
  const value = find(callArguments)
  if (value === undefined || value === null) return undefined
  // A number by its value: 9007199254740993.0 is the key 9007199254740993 over again, and the same call.
  const text = typeof value === 'string' ? value : typeof value === 'number' || value instanceof ExactNumber ? canonicalJson(value) : ''
  if (text.length < 1 || text.length > 255) throw invalid('the argument is not usable as a key', 'tool')
  return text
}

function invalid(reason: string, deliver?: 'tool'): Refusal {
  return new Refusal('IDEMPOTENCY_KEY_INVALID', { notProcessed: true, ...(deliver && { deliver }) }, { reason })
}

function required({ key }: IdempotencyPolicy): Refusal {
  return typeof key === 'object'
    ? new Refusal('IDEMPOTENCY_KEY_REQUIRED', {
        text: `This tool needs a key in the argument ${key.argument}: a new one for each effect, the same one for each retry.`,
        notProcessed: true,
        deliver: 'tool',
      })
    : new Refusal('IDEMPOTENCY_KEY_REQUIRED', { notProcessed: true })
}
