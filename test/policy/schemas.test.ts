import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { editorSchemas } from '../../tools/schemas.ts'

const ROOT = new URL('../../policies/', import.meta.url)

test.each([...editorSchemas()])('schema/%s is what the format says today', async (name, text) => {
  expect(await readFile(new URL(`schema/${name}`, ROOT), 'utf8')).toBe(text)
})

test.each([
  ['gateway.v1.json', 'examples/gateway/gateway.yaml'],
  ['gateway.v1.json', 'examples/sidecar/gateway.yaml'],
  ['tools.v1.json', 'examples/gateway/tools/github.yaml'],
  ['tools.v1.json', 'examples/gateway/tools/billing.yaml'],
  ['tests.v1.json', 'examples/gateway/tests/issues.yaml'],
  ['gateway.v1.json', 'examples/docs/gateway.yaml'],
  ['tools.v1.json', 'examples/docs/tools/handbook.yaml'],
  ['tools.v1.json', 'examples/docs/tools/files.yaml'],
  ['tests.v1.json', 'examples/docs/tests/readers.yaml'],
  ['gateway.v1.json', 'examples/processes/gateway.yaml'],
  ['tools.v1.json', 'examples/processes/tools/files.yaml'],
  ['tests.v1.json', 'examples/processes/tests/callers.yaml'],
])('an editor with schema/%s has nothing to say of %s', async (name, file) => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(editorSchemas().get(name) ?? ''))
  validate(parse(await readFile(new URL(file, ROOT), 'utf8')))
  expect(validate.errors).toBeNull()
})
