import { anonymousFacts } from '../core/anonymous.ts'
import type { Configuration } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import type { Asked } from './asked.ts'
import { ExposedNames } from './exposed-names.ts'
import { suggest } from './nearest.ts'
import type { RuleBook } from './rule-book.ts'
import { type CaseEntry, type PrincipalEntry, principalSchema, type TestsFile } from './schema/tests.ts'
import { SECTION_OF } from './sections.ts'
import type { SourceDocument } from './source-document.ts'

export interface PolicyTests {
  readonly file: string
  readonly as: Readonly<Record<string, PrincipalEntry>>
  readonly cases: readonly PolicyCase[]
}

interface PolicyCase {
  readonly line: number
  readonly entry: CaseEntry
}

/** Callers that are named must exist; faults go to the document. */
export function checkTests(file: TestsFile, document: SourceDocument): PolicyTests {
  const cases = file.cases.map((entry, index) => {
    const at = ['cases', index, 'as']
    if (!Object.hasOwn(file.as, entry.as)) {
      document.fault(
        at,
        `there is no caller ${document.quote(at)} under \`as\`${document.isShowable(at) ? suggest(entry.as, Object.keys(file.as)) : ''}`,
        'reference',
      )
    }
    return { line: document.place(['cases', index]).line, entry }
  })
  return { file: document.file, as: file.as, cases }
}

/** The caller a test describes, with what it leaves out filled in from the first issuer. */
export function createCaller(name: string, entry: PrincipalEntry, configuration: Configuration): PrincipalFacts {
  const issuer = configuration.issuers.find(each => each.issuer === entry.issuer) ?? configuration.issuers[0]
  const claims = entry.claims as JsonObject
  const tenantClaim = issuer?.tenantClaim
  const claimed = tenantClaim !== undefined && Object.hasOwn(claims, tenantClaim) ? claims[tenantClaim] : undefined
  const subject = entry.subject ?? name
  return {
    issuer: entry.issuer ?? issuer?.issuer ?? '',
    subject,
    clientId: entry.clientId,
    tenant: entry.tenant ?? (typeof claimed === 'string' ? claimed : undefined),
    scopes: new Set(entry.scopes),
    claims,
    anonymous: false,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    identity: subject,
  }
}

interface Known {
  readonly tests: readonly PolicyTests[]
  readonly configuration: Configuration
  readonly book: RuleBook
}

/** A caller of what is asked about: named in the tests (the first of that name), described as in them, or `anonymous`. */
export function findCaller(loaded: Known, as: string | JsonObject, asked: Asked): PrincipalFacts | undefined {
  const name = typeof as === 'string' ? as : 'caller'
  const entry = typeof as === 'string' ? loaded.tests.find(each => Object.hasOwn(each.as, as))?.as[as] : principalSchema.safeParse(as).data
  if (entry !== undefined) return createCaller(name, entry, loaded.configuration)
  return as === 'anonymous' ? anonymousCaller(loaded, asked) : undefined
}

/** Who sends no token, to an endpoint that lets them in: the first that serves it, or the first of all where none does. */
function anonymousCaller({ configuration, book }: Known, { kind, name }: Asked): PrincipalFacts | undefined {
  const alias = new ExposedNames(configuration, book).find(SECTION_OF[kind], name)?.facts.alias
  const open = configuration.endpoints.filter(endpoint => endpoint.anonymous !== undefined)
  const endpoint = open.find(({ upstreams }) => alias !== undefined && upstreams.includes(alias)) ?? open[0]
  const facts = endpoint && anonymousFacts(endpoint)
  return facts && { ...facts, identity: 'anonymous' }
}
