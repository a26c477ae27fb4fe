import { suggest } from './nearest.ts'
import type { Path, SourceDocument } from './source-document.ts'

/**
 * What the schema of gateway.yaml cannot say: names that must exist, and what must not be there twice. Reads the document
 * itself, so that a fault elsewhere in the file hides none of these.
 */
export function checkReferences(document: SourceDocument, anonymousAllowed: boolean): void {
  if (document.broken) return
  const aliases = document.keys(['upstreams']) ?? []
  const endpoints = document.items(['endpoints'])
  for (const path of endpoints) {
    checkUpstreams([...path, 'upstreams'], aliases, document)
    checkNames(path, document)
    const anonymous = document.has([...path, 'anonymous'])
    if (anonymous && !anonymousAllowed) {
      document.fault(
        [...path, 'anonymous'],
        'callers without a token are only served on a loopback listener, or with --allow-anonymous true (WICKETGATE_ALLOW_ANONYMOUS)',
        'anonymous',
        'key',
      )
    }
    if (!anonymous && !document.has(['issuers', 0])) {
      document.fault(path, 'nobody can use this endpoint: there is no issuer, and it is not anonymous', 'reference')
    }
  }
  checkTwice(
    endpoints.map(path => [...path, 'path']),
    'this path is served by an endpoint above',
    document,
  )
  checkTwice(
    document.items(['issuers']).map(path => [...path, 'issuer']),
    'this issuer appears twice',
    document,
  )
  for (const alias of aliases) {
    checkTwice(
      document.items(['upstreams', alias, 'variants']).map(path => [...path, 'name']),
      'this class appears twice',
      document,
    )
  }
  for (const member of ['keyId', 'publicKey']) {
    checkTwice(
      document.items(['pins', 'signers']).map(path => [...path, member]),
      'this key appears twice',
      document,
    )
  }
}

function checkUpstreams(path: Path, aliases: readonly string[], document: SourceDocument): void {
  const items = document.items(path)
  for (const item of items) {
    const alias = document.get(item)
    if (typeof alias !== 'string' || aliases.includes(alias)) continue
    const near = document.isShowable(item) ? suggest(alias, aliases) : ''
    document.fault(item, `there is no upstream ${document.quote(item)}${near}`, 'reference')
  }
  checkTwice(items, 'this upstream appears twice', document)
}

function checkNames(path: Path, document: SourceDocument): void {
  if (document.get([...path, 'names']) !== 'upstream' || document.items([...path, 'upstreams']).length < 2) return
  document.fault(
    [...path, 'names'],
    '`names: upstream` needs an endpoint with a single upstream, or two tools could share a name',
    'conflict',
  )
}

function checkTwice(paths: readonly Path[], message: string, document: SourceDocument): void {
  const seen = new Set<unknown>()
  for (const path of paths) {
    const value = document.get(path)
    if (value !== undefined && seen.has(value)) document.fault(path, message, 'conflict')
    seen.add(value)
  }
}
