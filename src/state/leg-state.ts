import { hash } from 'node:crypto'
import { parseJsonText } from '../core/json.ts'
import type { CheckedCall, HeldLeg, Leg } from '../core/model.ts'
import type { Opened } from '../store/index.ts'
import { invalid } from './refusals.ts'

/** Long enough for a person to answer a form, short enough that what nobody answers is soon worth nothing. */
export const STATE_TTL_MS = 600_000

/** What the next leg has to be about: each part with the word for the record when it is not the same any more. */
function bindingOf({ grant, canonicalArguments }: CheckedCall): readonly (readonly [what: string, value: string])[] {
  const { principal, item, call, revision } = grant
  return [
    ['principal', digest(principal.identity)],
    ['method', call.method],
    ['target', item.alias],
    ['target', item.upstreamName],
    // The pin binds it too, where there is one.
    ['variant', item.variant],
    // With the name as the caller said it: of a template's instances, and of what no list names, only the URI tells one from another.
    ['arguments', digest(`${call.name.length}:${call.name}${canonicalArguments}`)],
    ['pin', item.pin],
    ['revision', revision],
  ]
}

/** What goes into a state, for the leg that brings it back. */
export function writeLegState(
  checked: CheckedCall,
  number: number,
  innerState: string | undefined,
  expiresAtMs: number,
  held?: HeldLeg,
): string {
  const values = bindingOf(checked).map(([, value]) => value)
  const { key, fence } = held?.record ?? {}
  const last = held === undefined ? [] : key === undefined ? [[]] : [[key, fence]]
  return JSON.stringify([number, expiresAtMs, innerState ?? null, ...values, ...last])
}

/** Back to the leg. Throws STATE_INVALID for a state that is over, or was given for another call than this. */
export function readLegState({ plain, id }: Opened, checked: CheckedCall, nowMs: number): Leg {
  const [number, expiresAtMs, innerState, ...values] = readParts(plain)
  if (typeof number !== 'number' || typeof expiresAtMs !== 'number') throw invalid('form')
  if (expiresAtMs <= nowMs) throw invalid('expired')
  const binding = bindingOf(checked)
  binding.forEach(([what, value], index) => {
    if (values[index] !== value) throw invalid(what)
  })
  const leg: Leg = { number, innerState: typeof innerState === 'string' ? innerState : undefined, jti: id, expiresAtMs }
  const held = values[binding.length]
  return Array.isArray(held) ? { ...leg, held: readHeld(held) } : leg
}

function readHeld([key, fence]: readonly unknown[]): HeldLeg {
  return { record: typeof key === 'string' && typeof fence === 'number' ? { key, fence } : undefined }
}

/** The parts of a plain text of ours. */
export function readParts(plain: string): readonly unknown[] {
  const { value } = parseJsonText(plain)
  return Array.isArray(value) ? value : []
}

/** Compact; it is never seen outside an envelope, so it needs no key. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
