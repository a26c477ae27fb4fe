import { z } from 'zod'
import { callTestSchema, claimNameSchema, claimTestSchema } from './conditions.ts'
import { scopeSchema } from './scalars.ts'

export const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(64).optional().describe('For people; a rule is addressed by where it stands.'),
    scopes: z
      .array(scopeSchema)
      .max(32)
      .optional()
      .describe('Scopes the token must have, all of them. [] is for every caller that the endpoint lets in.'),
    claims: z
      .record(claimNameSchema, claimTestSchema)
      .optional()
      .describe('What the token must say of the caller, all of it. Decides who may see the item.'),
    when: z
      .array(callTestSchema)
      .max(64)
      .default([])
      .describe('What a call must look like, all of it; of a resource the one argument is /uri. Default: anything that is valid.'),
  })
  .superRefine((rule, context) => {
    if (rule.scopes === undefined && rule.claims === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'a rule says who: `scopes` or `claims` is required (`scopes: []` is for every caller that the endpoint lets in)',
      })
    }
  })
  .describe('Any one rule suffices; nothing else opens a tool, a prompt or a resource.')

export type RuleEntry = z.output<typeof ruleSchema>
