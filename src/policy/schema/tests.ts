import { z } from 'zod'
import { scopeSchema, versionSchema } from './scalars.ts'

const EXPECTATIONS = ['allow', 'POLICY_REFUSED', 'AUTH_SCOPE_INSUFFICIENT', 'CATALOG_UNKNOWN_TOOL'] as const

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
    with: z.record(z.string(), z.unknown()).optional().describe('Its arguments. Default: none.'),
    expect: z.enum(EXPECTATIONS).optional().describe('What must come of it.'),
    rule: z.string().min(1).optional().describe('Address of the rule, or of the tool, that must have decided.'),
    list: z.array(z.string()).optional().describe('Exposed names of all tools this caller must see; globs count where a name here fits.'),
  })
  .superRefine((entry, context) => {
    if ((entry.call === undefined) === (entry.list === undefined))
      context.addIssue({ code: 'custom', message: 'a case has either `call` or `list`' })
    else if (entry.call !== undefined && entry.expect === undefined) context.addIssue({ code: 'custom', message: '`call` needs `expect`' })
    else if (entry.list !== undefined && (entry.with ?? entry.expect ?? entry.rule) !== undefined)
      context.addIssue({ code: 'custom', message: '`list` takes no `with`, `expect` or `rule`' })
  })
  .describe('One thing that must be so.')

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
