import { z } from 'zod'
import { ruleSchema } from './rule.ts'
import { aliasSchema, countSchema, durationSchema, pointerOr, pointerSchema, versionSchema } from './scalars.ts'

/** Costs are checked where the numbers are: a cost outside 1..burst could never be paid, or would be free. */
const limitSchema = z
  .strictObject({
    calls: countSchema(1_000_000_000).describe('Units that flow in per period.'),
    per: durationSchema.describe('The period: 1s, 1m, 24h.'),
    by: z
      .enum(['principal', 'client', 'tenant', 'tool'])
      .default('principal')
      .describe('Who shares one allowance; tool: everybody. Default: principal.'),
    burst: countSchema(1_000_000_000).optional().describe('Units that may be taken at once. Default: calls.'),
    cost: countSchema(1_000_000_000).default(1).describe('Units one call takes, a whole number from 1 to burst. Default: 1.'),
  })
  .superRefine((limit, context) => {
    if (limit.cost > (limit.burst ?? limit.calls))
      context.addIssue({ code: 'custom', path: ['cost'], message: 'cost must be a whole number from 1 to burst' })
  })

const KEY_FORM =
  'must be header (it or _meta has the key), derived (from the arguments), or the JSON Pointer of an argument, as in /orderId'

const idempotencySchema = z.strictObject({
  key: z
    .union([z.enum(['header', 'derived']), pointerOr(KEY_FORM)], KEY_FORM)
    .describe('header: Idempotency-Key or _meta. derived: from the arguments, within the window. A JSON Pointer: that argument.'),
  required: z.boolean().default(false).describe('Calls without a key are refused. Default: false.'),
  ttl: durationSchema.default('24h').describe('How long an outcome is remembered. Default: 24h.'),
  window: durationSchema.default('10m').describe('For derived keys: how long equal calls count as one. Default: 10m.'),
})

const maxBytes = countSchema(268_435_456).default(16_777_216).describe('Largest result that is shown. Default: 16777216.')

const over = z
  .enum(['withhold', 'truncate'])
  .default('withhold')
  .describe('What happens to a larger one. truncate: its last texts are cut short, with a mark, if that is enough. Default: withhold.')

const characters = z
  .enum(['flag', 'escape', 'block'])
  .default('flag')
  .describe(
    'What happens to a result with hidden or control characters. flag: it passes, marked and counted. escape: they are spelled out. block: it is withheld. Default: flag.',
  )

/** What every entry says: who, how often, and what is written down. */
const common = {
  discoverable: z
    .boolean()
    .default(false)
    .describe('Listed also for callers who lack nothing but scope, so that they can ask for it. Default: false.'),
  allow: z.array(ruleSchema).max(256).default([]).describe('Who may use it. Default: nobody.'),
  limit: limitSchema.optional().describe('How often. Default: no limit.'),
  audit: z
    .strictObject({
      keep: z.array(pointerSchema).max(64).default([]).describe('Arguments that may be written down as they are. Default: none.'),
    })
    .prefault({}),
}

const toolSchema = z
  .strictObject({
    effect: z.enum(['read', 'write', 'destructive']).describe("What running it may do: our word, never the server's annotation."),
    ...common,
    idempotency: idempotencySchema
      .optional()
      .describe('Not twice. Default: a key that is sent in the header or in _meta counts for effects, and none is asked for.'),
    approval: z
      .literal('none', 'approvals are not in this version: only `none` is accepted')
      .default('none')
      .describe('Whose consent a call needs. Default: none, the only value in this version.'),
    result: z
      .strictObject({
        maxBytes,
        over,
        schema: z
          .enum(['block', 'warn'])
          .default('block')
          .describe('What happens to a result that does not fit the approved output schema. Default: block.'),
        characters,
      })
      .prefault({}),
  })
  .describe('One tool, or all tools a glob key names.')

const promptSchema = z
  .strictObject({ ...common, result: z.strictObject({ maxBytes, characters }).prefault({}) })
  .describe('One prompt, or all prompts a glob key names. To get one is to read.')

const resourceSchema = z
  .strictObject({
    ...common,
    result: z.strictObject({ maxBytes, over, characters }).prefault({}),
    unlisted: z
      .boolean()
      .default(false)
      .describe(
        'URIs that no list and no template of the server names may be read too: nobody has reviewed what they are. Default: false.',
      ),
  })
  .describe("One resource, a template's resources, or all that a glob key names. To use one is to read.")

export const toolsSchema = z
  .strictObject({
    version: versionSchema,
    upstream: aliasSchema.describe('The alias this file is about: also its file name.'),
    tools: z
      .record(z.string().min(1).max(256), toolSchema)
      .optional()
      .describe('By upstream name, or a glob in which only * is special. The exact name wins, then the longest literal prefix.'),
    prompts: z.record(z.string().min(1).max(256), promptSchema).optional().describe('By upstream name, or a glob as for tools.'),
    resources: z
      .record(z.string().min(1).max(2_048), resourceSchema)
      .optional()
      .describe(
        "By the upstream's own URI, by a template's own text, or by a glob over URIs (* is any characters, also /). The exact URI wins, then the longest literal prefix, then the template.",
      ),
  })
  .superRefine((file, context) => {
    if ((file.tools ?? file.prompts ?? file.resources) === undefined)
      context.addIssue({ code: 'custom', message: 'at least one of `tools`, `prompts` and `resources` is required' })
  })
  .describe('Wicketgate: what one upstream offers, and who may use it.')

export type ToolsFile = z.output<typeof toolsSchema>
export type ToolEntry = z.output<typeof toolSchema>
export type PromptEntry = z.output<typeof promptSchema>
export type ResourceEntry = z.output<typeof resourceSchema>
