import type { Json } from '../core/json.ts'
import type { Dialect } from './keywords.ts'
import { Unenforceable } from './unenforceable.ts'

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'http://json-schema.org/draft-07/schema': 'draft-07',
}

/** MCP 2026-07-28 basic §Schema Dialect: 2020-12 unless declared; others are refused by name, not read as something else. */
export function parseDialect(declared: Json | undefined): Dialect {
  if (declared === undefined) return '2020-12'
  const uri = typeof declared === 'string' ? declared.replace(/#$/, '') : ''
  // Both schemes of both URIs are seen; a URI here is a name, nothing is fetched.
  const dialect = DIALECTS[uri] ?? DIALECTS[uri.replace(/^http:/, 'https:')] ?? DIALECTS[uri.replace(/^https:/, 'http:')]
  if (dialect === undefined) throw new Unenforceable('$schema names a dialect that is not supported: use 2020-12 or draft-07')
  return dialect
}
