import { Refusal } from '../core/errors.ts'

/** The refusal for an upstream that breaks the protocol; `reason` is one of our own words, never the upstream's. */
export function invalidAnswer(reason: string, detail: Readonly<Record<string, number>> = {}): Refusal {
  return new Refusal('UPSTREAM_INVALID', {}, { reason, ...detail })
}
