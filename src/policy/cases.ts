import type { Configuration } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { suggest } from './nearest.ts'
import { type CaseEntry, type PrincipalEntry, principalSchema, type TestsFile } from './schema/tests.ts'
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
    return { line: document.line(['cases', index]), entry }
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

/** A caller named in the tests (the first of that name), or described as in them. */
export function findCaller(
  loaded: { readonly tests: readonly PolicyTests[]; readonly configuration: Configuration },
  as: string | JsonObject,
): PrincipalFacts | undefined {
  const name = typeof as === 'string' ? as : 'caller'
  const entry = typeof as === 'string' ? loaded.tests.find(each => Object.hasOwn(each.as, as))?.as[as] : principalSchema.safeParse(as).data
  return entry === undefined ? undefined : createCaller(name, entry, loaded.configuration)
}
