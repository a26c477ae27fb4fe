import { z } from 'zod'
import { scopeSchema, versionSchema } from './scalars.ts'

const EXPECTATIONS = [
  'allow',
  'POLICY_REFUSED',
  'AUTH_SCOPE_INSUFFICIENT',
  'CATALOG_UNKNOWN_TOOL',
  'CATALOG_UNKNOWN_PROMPT',
  'CATALOG_UNKNOWN_RESOURCE',
] as const
/** What a case is about: one of these, and the first three with `expect`. */
const CALLS = ['call', 'get', 'read'] as const
const LISTS = ['list', 'prompts', 'resources'] as const

export const principalSchema = z
  .strictObject({
    scopes: z.array(scopeSchema).default([]).describe('Scopes of the token. Default: none.'),
    claims: z.record(z.string(), z.unknown()).default({}).describe('Claims of the token. Default: none.'),
    issuer: z.string().optional().describe('Default: the first issuer.'),
    subject: z.string().optional().describe('Default: the name of this entry.'),
    clientId: z.string().optional().describe('Default: none.'),
    tenant: z.string().optional().describe("Default: the issuer's tenantClaim, from the claims above."),
  })
  .describe('A caller.')

const caseSchema = z
  .strictObject({
    as: z.string().describe('A caller named above.'),
    call: z.string().min(1).optional().describe('Exposed name of the tool that is called.'),
    get: z.string().min(1).optional().describe('Exposed name of the prompt that is got.'),
    read: z.string().min(1).optional().describe('Exposed URI of the resource that is read.'),
    with: z.record(z.string(), z.unknown()).optional().describe('Arguments of the tool or prompt. Default: none.'),
    expect: z.enum(EXPECTATIONS).optional().describe('What must come of it.'),
    rule: z.string().min(1).optional().describe('Address of the rule, or of the entry, that must have decided.'),
    list: z.array(z.string()).optional().describe('Exposed names of all tools this caller must see; globs count where a name here fits.'),
    prompts: z.array(z.string()).optional().describe('Exposed names of all prompts this caller must see, likewise.'),
    resources: z.array(z.string()).optional().describe('Exposed URIs and templates of all resources this caller must see, likewise.'),
  })
  .superRefine((entry, context) => {
    const about = [...CALLS, ...LISTS].filter(key => entry[key] !== undefined)
    const message = problemOf(about, entry)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .describe('One thing that must be so.')

function problemOf(about: readonly string[], entry: { with?: unknown; expect?: unknown; rule?: unknown }): string | undefined {
  const [key = ''] = about
  if (about.length !== 1) return `a case has one of ${[...CALLS, ...LISTS].join(', ')}`
  if (LISTS.some(list => list === key))
    return (entry.with ?? entry.expect ?? entry.rule) === undefined ? undefined : `\`${key}\` takes no \`with\`, \`expect\` or \`rule\``
  if (entry.expect === undefined) return `\`${key}\` needs \`expect\``
  return key === 'read' && entry.with !== undefined ? '`read` takes no `with`' : undefined
}

export const testsSchema = z
  .strictObject({
    version: versionSchema,
    as: z.record(z.string().min(1).max(64), principalSchema).describe('Callers, by a name of your choice.'),
    cases: z.array(caseSchema).min(1),
  })
  .describe('Wicketgate: what must be allowed and what must not. Run by `wicketgate test`.')

export type TestsFile = z.output<typeof testsSchema>
export type PrincipalEntry = z.output<typeof principalSchema>
export type CaseEntry = z.output<typeof caseSchema>
