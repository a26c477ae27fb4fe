import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { editorSchemas } from '../../tools/schemas.ts'

/** Every key of a format. */
function keysOf(schema: unknown, keys = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return keys
  if ('properties' in schema && typeof schema.properties === 'object') for (const key of Object.keys(schema.properties ?? {})) keys.add(key)
  for (const part of Object.values(schema)) keysOf(part, keys)
  return keys
}

test.each([...editorSchemas()])('docs/policies.md names every key of %s', async (_name, text) => {
  const docs = await readFile(new URL('../../docs/policies.md', import.meta.url), 'utf8')
  const missing = [...keysOf(JSON.parse(text))].filter(key => !new RegExp(`\\b${key}\\b`).test(docs))
  expect(missing).toEqual([])
})
