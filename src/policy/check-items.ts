import { setImmediate as breathe } from 'node:timers/promises'
import { systemClock } from '../core/clock.ts'
import { createTemplateMatcher } from '../mcp/index.ts'
import { compileCel } from './cel.ts'
import { findTies, isTemplateKey, literalPrefix } from './item-keys.ts'
import { suggest } from './nearest.ts'
import { SECTIONS, type Section } from './sections.ts'
import type { Path, SourceDocument } from './source-document.ts'

/** What the schema of a tools file cannot say. Reads the document itself, so that a fault elsewhere in the file hides none of these. */
export async function checkItems(document: SourceDocument, gateway: SourceDocument | undefined): Promise<void> {
  if (document.broken) return
  checkAlias(document, gateway?.keys(['upstreams']))
  const issuers = gateway?.items(['issuers']) ?? []
  const tenantIsKnown = issuers.every(path => gateway?.has([...path, 'tenantClaim']))
  for (const section of SECTIONS) {
    const keys = document.keys([section]) ?? []
    checkTies(section, keys, document)
    for (const key of keys) {
      await breathe()
      checkRules(section, [section, key], document)
      if (isTemplateKey(section, key) && createTemplateMatcher(key) === undefined) {
        document.fault([section, key], 'this is no URI template (RFC 6570), and no URI has a brace', 'value', 'key')
      }
      const by = [section, key, 'limit', 'by']
      if (document.get(by) === 'tenant' && !tenantIsKnown) {
        document.fault(by, 'a limit by tenant needs `tenantClaim` on every issuer', 'reference')
      }
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

function checkTies(section: Section, keys: readonly string[], document: SourceDocument): void {
  for (const [key, earlier] of findTies(section, keys)) {
    const message = `"${key}" and "${earlier}" are equally exact (both begin with "${literalPrefix(key)}*"); make one longer`
    document.fault([section, key], message, 'conflict', 'key')
  }
}

function checkRules(section: Section, entry: Path, document: SourceDocument): void {
  for (const rule of document.items([...entry, 'allow'])) {
    for (const test of document.items([...rule, 'when'])) {
      checkArgument(section, [...test, 'argument'], document)
      checkCel(section, [...test, 'cel'], document)
    }
  }
  for (const kept of document.items([...entry, 'audit', 'keep'])) checkArgument(section, kept, document)
}

/** A condition on anything else would never hold, or always. */
const ONLY_URI = 'a resource has one argument, /uri'

function checkArgument(section: Section, path: Path, document: SourceDocument): void {
  const pointer = document.get(path)
  if (section === 'resources' && typeof pointer === 'string' && pointer.startsWith('/') && pointer !== '/uri')
    document.fault(path, ONLY_URI, 'value')
}

function checkCel(section: Section, path: Path, document: SourceDocument): void {
  const source = document.get(path)
  if (typeof source !== 'string') return
  const cel = compileCel(source, systemClock)
  if ('problems' in cel) for (const { index, message } of cel.problems) document.faultInside(path, index, message, 'cel')
  else if (section === 'resources' && cel.pointers.some(pointer => pointer !== '/uri')) document.fault(path, ONLY_URI, 'cel')
}
