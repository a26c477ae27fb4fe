import { z } from 'zod'
import { callTestSchema, claimNameSchema, claimTestSchema } from './conditions.ts'
import { aliasSchema, countSchema, durationSchema, pointerSchema, scopeSchema, versionSchema } from './scalars.ts'

const ruleSchema = z
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
      .describe('What the token must say of the caller, all of it. Decides who may see the tool.'),
    when: z
      .array(callTestSchema)
      .max(64)
      .default([])
      .describe('What a call must look like, all of it. Default: anything the schema allows.'),
  })
  .superRefine((rule, context) => {
    if (rule.scopes === undefined && rule.claims === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'a rule says who: `scopes` or `claims` is required (`scopes: []` is for every caller that the endpoint lets in)',
      })
    }
  })
  .describe('Any one rule suffices; nothing else opens a tool.')

/** Costs are checked where the numbers are: a cost outside 1..burst could never be paid, or would be free. */
const limitSchema = z
  .strictObject({
    calls: countSchema(1_000_000_000).describe('Units that flow in per period.'),
    per: durationSchema.describe('The period: 1s, 1m, 24h.'),
    by: z.enum(['principal', 'client', 'tenant', 'tool']).default('principal').describe('Who shares one allowance. Default: principal.'),
    burst: countSchema(1_000_000_000).optional().describe('Units that may be taken at once. Default: calls.'),
    cost: countSchema(1_000_000_000).default(1).describe('Units one call takes, a whole number from 1 to burst. Default: 1.'),
  })
  .superRefine((limit, context) => {
    if (limit.cost > (limit.burst ?? limit.calls))
      context.addIssue({ code: 'custom', path: ['cost'], message: 'cost must be a whole number from 1 to burst' })
  })

const idempotencySchema = z.strictObject({
  key: z
    .union([z.enum(['header', 'derived']), pointerSchema], 'must be header, derived, or the JSON Pointer of an argument')
    .describe('header: Idempotency-Key or _meta. derived: from the arguments, within the window. A JSON Pointer: that argument.'),
  required: z.boolean().default(false).describe('Calls without a key are refused. Default: false.'),
  ttl: durationSchema.default('24h').describe('How long an outcome is remembered. Default: 24h.'),
  window: durationSchema.default('10m').describe('For derived keys: how long equal calls count as one. Default: 10m.'),
})

const toolSchema = z
  .strictObject({
    effect: z.enum(['read', 'write', 'destructive']).describe("What running it may do: our word, never the server's annotation."),
    discoverable: z
      .boolean()
      .default(false)
      .describe('Listed also for callers who lack nothing but scope, so that they can ask for it. Default: false.'),
    allow: z.array(ruleSchema).max(256).default([]).describe('Who may use it. Default: nobody.'),
    limit: limitSchema.optional().describe('How often. Default: no limit.'),
    idempotency: idempotencySchema.optional().describe('Not twice. Default: keys are not looked at.'),
    approval: z
      .literal('none', 'approvals are not in this version: only `none` is accepted')
      .default('none')
      .describe('Whose consent a call needs. Default: none, the only value in this version.'),
    result: z
      .strictObject({
        maxBytes: countSchema(268_435_456).default(1_048_576).describe('Largest result that is shown. Default: 1048576.'),
        schema: z
          .enum(['block', 'warn'])
          .default('block')
          .describe('What happens to a result that does not fit the approved output schema. Default: block.'),
      })
      .prefault({}),
    audit: z
      .strictObject({
        keep: z.array(pointerSchema).max(64).default([]).describe('Arguments that may be written down as they are. Default: none.'),
      })
      .prefault({}),
  })
  .describe('One tool, or all tools a glob key names.')

export const toolsSchema = z
  .strictObject({
    version: versionSchema,
    upstream: aliasSchema.describe('The alias this file is about: also its file name.'),
    tools: z
      .record(z.string().min(1).max(256), toolSchema)
      .describe('By upstream name, or a glob in which only * is special. The exact name wins, then the longest literal prefix.'),
  })
  .describe('Wicketgate: the tools of one upstream, and who may use them.')

export type ToolsFile = z.output<typeof toolsSchema>
export type ToolEntry = z.output<typeof toolSchema>
export type RuleEntry = z.output<typeof ruleSchema>
