import { _, type CodeKeywordDefinition, Name } from 'ajv'

/** One unit is about 20 ns of work, so a check is over after some 20 ms, whatever schema and value were made for. */
const BUDGET = 1_000_000
/** Finding all faults makes an object of each, so less of it fits into the same time. */
const EXPLAIN_BUDGET = 60_000
/** Above this, engines keep an object's keys in a table that is slow to go through. */
const MANY_KEYS = 64

/** Checking went over its budget: the value is not known to fit. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'
}

/**
 * A budget of work for one check, spent by the compiled validators themselves. The bounds of the profile leave two ways to run
 * away: recursion that branches at every level of a deep value, and many subschemas over one long value. Both pass through here.
 * A check is synchronous, so one meter serves all.
 */
class Meter {
  left = 0

  startVerdict(): void {
    this.left = BUDGET
  }

  startExplanation(): void {
    this.left = EXPLAIN_BUDGET
  }

  spend(units: number): void {
    this.left -= units
    if (this.left < 0) this.stop()
  }

  /** For schemas that go through the whole of a string, an array or an object's keys. */
  weigh(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length >> 2)
    else if (Array.isArray(value)) this.spend(value.length)
    else if (typeof value === 'object' && value !== null) {
      let keys = 0
      for (const _key in value) keys++
      this.spend(keys > MANY_KEYS ? keys * 12 : keys)
    }
  }

  stop(): never {
    throw new TooCostly('budget spent')
  }
}

export const meter = new Meter()

export const VISIT = 'wicketgate:visit'
export const WEIGH = 'wicketgate:weigh'

/** ajv's own count of faults found so far: failed branches of a choice, which it copies from level to level. */
const FAULTS = new Name('errors')

/** Both come before `$ref`: ajv goes by this order, and what is paid after a recursion returns stops nothing. */
export const METER_KEYWORDS: readonly CodeKeywordDefinition[] = [
  {
    keyword: VISIT,
    schemaType: 'number',
    before: '$ref',
    code: ({ gen, schema }) => {
      const name = gen.scopeValue('obj', { ref: meter })
      gen.code(_`if ((${name}.left -= ${schema} + 2 * ${FAULTS}) < 0) ${name}.stop()`)
    },
  },
  {
    keyword: WEIGH,
    schemaType: 'boolean',
    before: '$ref',
    code: ({ gen, data }) => {
      const name = gen.scopeValue('obj', { ref: meter })
      gen.code(_`${name}.weigh(${data})`)
    },
  },
]
