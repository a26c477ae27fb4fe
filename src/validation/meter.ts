import { _, type CodeKeywordDefinition } from 'ajv'

/** One unit is about 20 ns of work, so a check is over after some 20 ms, whatever schema and value were made for. */
const BUDGET = 1_000_000

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

  reset(): void {
    this.left = BUDGET
  }

  spend(units: number): void {
    this.left -= units
    if (this.left < 0) this.stop()
  }

  /** For schemas that go through the whole of a string, an array or an object's keys. */
  weigh(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length >> 2)
    else if (Array.isArray(value)) this.spend(value.length)
    else if (typeof value === 'object' && value !== null) for (const _key in value) this.left--
    if (this.left < 0) this.stop()
  }

  stop(): never {
    throw new TooCostly('budget spent')
  }
}

export const meter = new Meter()

export const VISIT = 'wicketgate:visit'
export const WEIGH = 'wicketgate:weigh'

export const METER_KEYWORDS: readonly CodeKeywordDefinition[] = [
  {
    keyword: VISIT,
    schemaType: 'number',
    code: ({ gen, schema }) => {
      const name = gen.scopeValue('obj', { ref: meter })
      gen.code(_`if ((${name}.left -= ${schema}) < 0) ${name}.stop()`)
    },
  },
  {
    keyword: WEIGH,
    schemaType: 'boolean',
    code: ({ gen, data }) => {
      const name = gen.scopeValue('obj', { ref: meter })
      gen.code(_`${name}.weigh(${data})`)
    },
  },
]
