import { systemClock } from '../core/clock.ts'
import { compileCel } from './cel.ts'
import { suggest } from './nearest.ts'
import type { SourceDocument } from './source-document.ts'
import { findTies, literalPrefix } from './tool-keys.ts'

/** What the schema of a tools file cannot say. Reads the document itself, so that a fault elsewhere in the file hides none of these. */
export function checkTools(document: SourceDocument, gateway: SourceDocument | undefined): void {
  if (document.broken) return
  checkAlias(document, gateway?.keys(['upstreams']))
  checkTies(document)
  const issuers = gateway?.items(['issuers']) ?? []
  const tenantIsKnown = issuers.every(path => gateway?.has([...path, 'tenantClaim']))
  for (const key of document.keys(['tools']) ?? []) {
    checkCel(key, document)
    const by = ['tools', key, 'limit', 'by']
    if (document.get(by) === 'tenant' && !tenantIsKnown) {
      document.fault(by, 'a limit by tenant needs `tenantClaim` on every issuer', 'reference')
    }
  }
}

function checkAlias(document: SourceDocument, aliases: readonly string[] | undefined): void {
  const path = ['upstream']
  const alias = document.get(path)
  if (typeof alias !== 'string') return
  if (document.file !== `tools/${alias}.yaml`) document.fault(path, 'upstream must be the name of the file, without .yaml', 'reference')
  if (aliases === undefined || aliases.includes(alias)) return
  const near = document.isShowable(path) ? suggest(alias, aliases) : ''
  document.fault(path, `gateway.yaml has no upstream ${document.quote(path)}${near}`, 'reference')
}

function checkTies(document: SourceDocument): void {
  for (const [key, earlier] of findTies(document.keys(['tools']) ?? [])) {
    const message = `"${key}" and "${earlier}" are equally exact (both begin with "${literalPrefix(key)}*"); make one longer`
    document.fault(['tools', key], message, 'conflict', 'key')
  }
}

function checkCel(key: string, document: SourceDocument): void {
  for (const rule of document.items(['tools', key, 'allow'])) {
    for (const test of document.items([...rule, 'when'])) {
      const path = [...test, 'cel']
      const source = document.get(path)
      const cel = typeof source === 'string' ? compileCel(source, systemClock) : undefined
      if (cel === undefined || !('problems' in cel)) continue
      for (const { index, message } of cel.problems) document.faultInside(path, index, message, 'cel')
    }
  }
}
