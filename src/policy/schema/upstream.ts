import { z } from 'zod'
import { isVariantName, SHARED } from '../../core/variant.ts'
import { credentialHeaderProblem, forwardHeaderProblem } from '../header-rules.ts'
import { isPlainToOthers, linkSchemeProblem, upstreamUrlProblem } from '../url-rules.ts'
import { claimNameSchema, claimTestSchema } from './conditions.ts'
import { countSchema, headerNameSchema, headerValueSchema, hostSchema, pointerSchema, textSchema } from './scalars.ts'
import { stdioSchema } from './stdio.ts'

const credentialSchema = z
  .strictObject({
    bearer: headerValueSchema
      .optional()
      .describe(`Sent as Authorization: Bearer …. Write \${file:/path} or \${NAME}, not the secret itself.`),
    header: z
      .strictObject({ name: headerNameSchema(credentialHeaderProblem), value: headerValueSchema })
      .optional()
      .describe('Sent as a header of another name.'),
  })
  .superRefine((credential, context) => {
    if ((credential.bearer === undefined) === (credential.header === undefined))
      context.addIssue({ code: 'custom', message: 'a credential is either `bearer` or `header`' })
  })
  .describe("The gateway's own credential for this upstream. A caller's token never travels on.")

const variantSchema = z
  .strictObject({
    name: textSchema(variantNameProblem).describe('What pins, records and reviews call the class: 1 to 32 of a-z, 0-9 and "-".'),
    claims: z
      .record(claimNameSchema, claimTestSchema)
      .refine(claims => Object.keys(claims).length > 0, 'a class without `claims` would be everybody; say whom it is for')
      .describe('What the token says of its callers, all of it, as in allow rules.'),
    credential: credentialSchema,
  })
  .describe('A class of callers, and the credential the upstream is asked under for them: its lists for them are reviewed apart.')

function variantNameProblem(name: string): string | undefined {
  if (!isVariantName(name)) return 'a class is called by 1 to 32 of a-z, 0-9 and "-"'
  return name === SHARED ? 'those of no class are called "shared" already' : undefined
}

const questionsSchema = z
  .strictObject({
    form: z.boolean().default(true).describe('It may ask the user to fill in a form; never for a secret. Default: true.'),
    url: z.boolean().default(true).describe('It may send the user to a web page, at its own host or one of urlHosts. Default: true.'),
    sampling: z.boolean().default(false).describe("It may use the caller's model. Default: false."),
    roots: z.boolean().default(false).describe("It may ask for the caller's root folders. Default: false."),
    urlHosts: z.array(hostSchema).default([]).describe('Hosts of web pages it may send the user to, besides its own. Default: none.'),
  })
  .describe('What it may ask of the caller in the middle of a request.')

export const upstreamSchema = z
  .strictObject({
    url: textSchema(upstreamUrlProblem)
      .optional()
      .describe('Its MCP endpoint: http or https, no userinfo, no fragment. Part of every pin, so no secret belongs into it.'),
    stdio: stdioSchema.optional(),
    transport: z
      .enum(['auto', 'http', 'sse'])
      .default('auto')
      .describe('http: Streamable HTTP. sse: HTTP+SSE of 2024-11-05. auto: the first, and the second where it finds it. Default: auto.'),
    era: z
      .enum(['auto', 'modern', 'legacy'])
      .default('auto')
      .describe('Which revisions it speaks: modern (2026-07-28), legacy (those with sessions), or auto, which asks it. Default: auto.'),
    sessions: z
      .enum(['perPrincipal', 'shared'])
      .default('perPrincipal')
      .describe('Of a legacy server: a session for each person who calls it, or one for all of them. Default: perPrincipal.'),
    credential: credentialSchema.optional(),
    variants: z
      .array(variantSchema)
      .max(64)
      .default([])
      .describe('Classes of callers with a credential of their own; the first that fits. Others share `credential`. Default: none.'),
    allowPlainHttp: z
      .boolean()
      .default(false)
      .describe('Send the credential over http to another machine; for a network that encrypts by itself. Default: false.'),
    timeoutMs: countSchema(600_000)
      .default(30_000)
      .describe('Longest wait for an answer to begin, and for a whole JSON answer. Default: 30000.'),
    streamIdleMs: countSchema(3_600_000).default(60_000).describe('Longest silence inside an event stream. Default: 60000.'),
    maxConnections: countSchema(10_000).default(64).describe('Connections kept to it. Default: 64.'),
    maxResponseBytes: countSchema(268_435_456).default(16_777_216).describe('Largest answer that is read. Default: 16777216.'),
    caFile: z.string().min(1).optional().describe('PEM file with extra trust anchors. Default: none.'),
    forwardHeaders: z.array(headerNameSchema(forwardHeaderProblem)).default([]).describe('Caller headers that travel on. Default: none.'),
    dropPointers: z
      .array(pointerSchema)
      .default([])
      .describe('Parts of each descriptor that are neither pinned nor forwarded. Default: none.'),
    xMcpHeader: z
      .strictObject({
        allowNumber: z
          .boolean()
          .default(false)
          .describe('Accept x-mcp-header on `type: number`, which the specification refuses. Default: false.'),
      })
      .prefault({}),
    questions: questionsSchema.prefault({}),
    links: z
      .strictObject({
        schemes: z
          .array(textSchema(linkSchemeProblem))
          .optional()
          .describe('Links of its results with another scheme are withheld. Default: every scheme but those a browser runs.'),
        hosts: z
          .array(hostSchema)
          .optional()
          .describe('Links of its results that lead to another host, its own aside, are withheld. Default: every host.'),
      })
      .prefault({}),
    tasks: z.boolean().default(true).describe('The tasks extension may be used with it. Default: true.'),
  })
  .superRefine(({ url, credential, variants, allowPlainHttp, forwardHeaders }, context) => {
    const credentials = [
      ...(credential === undefined ? [] : [{ path: ['credential'], credential }]),
      ...variants.map((variant, index) => ({ path: ['variants', index, 'credential'], credential: variant.credential })),
    ]
    if (!allowPlainHttp && url !== undefined && isPlainToOthers(url)) {
      const message = 'this credential would travel unencrypted: use https, or say `allowPlainHttp: true` where the network encrypts'
      for (const { path } of credentials) context.addIssue({ code: 'custom', path, message })
    }
    // Also that of a class the caller is not of: who could send it would be taken for that class.
    const own = new Set(credentials.map(each => each.credential.header?.name.toLowerCase()))
    forwardHeaders.forEach((name, index) => {
      const message = "this header carries the gateway's own credential"
      if (own.has(name.toLowerCase())) context.addIssue({ code: 'custom', path: ['forwardHeaders', index], message })
    })
  })
  .describe('An MCP server behind the gateway.')

export type UpstreamEntry = z.output<typeof upstreamSchema>
