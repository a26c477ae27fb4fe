import type { PrincipalFacts } from '../core/model.ts'
import { SHARED } from '../core/variant.ts'
import type { Condition } from './condition.ts'
import { compileClaims } from './rules.ts'
import type { GatewayFile } from './schema/gateway.ts'
import type { SourceDocument } from './source-document.ts'

/** Which of an upstream's variants is a principal's. */
export type VariantOf = (alias: string, principal: PrincipalFacts) => string

interface Class {
  readonly name: string
  readonly claims: readonly Condition[]
}

/** Compiles who belongs to which class of each upstream, the first that claims somebody; faults go to the document. */
export function compileVariants({ upstreams }: GatewayFile, document: SourceDocument): VariantOf {
  const finders = new Map<string, (principal: PrincipalFacts) => string>()
  for (const [alias, { variants }] of Object.entries(upstreams)) {
    if (variants.length === 0) continue
    const path = ['upstreams', alias, 'variants']
    finders.set(
      alias,
      finderOf(variants.map(({ name, claims }, index) => ({ name, claims: compileClaims(claims, [...path, index, 'claims'], document) }))),
    )
  }
  return (alias, principal) => finders.get(alias)?.(principal) ?? SHARED
}

/** A token's claims never change, so a principal is asked about once. */
function finderOf(classes: readonly Class[]): (principal: PrincipalFacts) => string {
  const known = new WeakMap<PrincipalFacts, string>()
  return principal => {
    let name = known.get(principal)
    if (name === undefined) {
      name = classes.find(({ claims }) => claims.every(claim => claim.holds(principal, NO_TOOL, {})))?.name ?? SHARED
      known.set(principal, name)
    }
    return name
  }
}

/** Claims say nothing of what is called. */
const NO_TOOL = { name: '', alias: '', effect: 'read' } as const
