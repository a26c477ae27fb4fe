import { z } from 'zod'
import { pointerSchema } from './scalars.ts'

const operandSchema = z.union(
  [z.string().max(1_024), z.number(), z.boolean(), z.null()],
  'an operand is text, a number, true, false or null',
)

const operators = {
  equals: operandSchema.optional().describe('The same type and value.'),
  in: z.array(operandSchema).min(1).max(1_000).optional().describe('Equal to one of these.'),
  like: z.string().max(1_024).optional().describe('Text that fits; only * is special: any characters, also none.'),
  atMost: z.number().optional().describe('A number not above this one.'),
  atLeast: z.number().optional().describe('A number not below this one.'),
  absent: z.literal(true).optional().describe('It is not there at all; null counts as there.'),
  present: z.literal(true).optional().describe('It is there, whatever it is.'),
  contains: operandSchema.optional().describe('A list with an equal entry.'),
}
const claimOperators = Object.keys(operators)
const callOperators = [...claimOperators, 'equalsClaim']

const exactlyOne = (
  test: Readonly<Record<string, unknown>>,
  names: readonly string[],
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
) => {
  if (names.filter(name => test[name] !== undefined).length !== 1)
    context.addIssue({ code: 'custom', message: `needs exactly one of ${names.join(', ')}` })
}

const CLAIM_FORM = 'a test of a claim is a map, for example { equals: acme }'

export const claimTestSchema = z
  .strictObject(operators, { error: ({ code }) => (code === 'invalid_type' ? CLAIM_FORM : undefined) })
  .superRefine((test, context) => exactlyOne(test, claimOperators, context))

export const claimNameSchema = z
  .string()
  .min(1)
  .max(256)
  .describe('A claim of the access token; a name that begins with "/" is a JSON Pointer into the claims.')

export const callTestSchema = z
  .strictObject({
    argument: pointerSchema.optional(),
    ...operators,
    equalsClaim: claimNameSchema.optional().describe('Equal to this claim of the access token; null and empty text equal nothing.'),
    cel: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('A CEL expression over principal, tool, args and now; only exactly true is a yes.'),
  })
  .superRefine((test, context) => {
    if (test.cel === undefined) {
      if (test.argument === undefined)
        context.addIssue({ code: 'custom', message: 'a test is either `argument` with an operator, or `cel`' })
      exactlyOne(test, callOperators, context)
    } else if (Object.values(test).filter(value => value !== undefined).length !== 1) {
      context.addIssue({ code: 'custom', message: '`cel` stands alone' })
    }
  })
  .describe('One thing a call must look like.')

export type ClaimTest = z.output<typeof claimTestSchema>
export type CallTest = z.output<typeof callTestSchema>
export type Operand = z.output<typeof operandSchema>
