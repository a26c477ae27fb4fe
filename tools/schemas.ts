/** Writes policies/schema/*.v1.json, the editors' view of the policy formats, from the schemas that check them. `--check`: exit 1 when stale. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { gatewaySchema } from '../src/policy/schema/gateway.ts'
import { testsSchema } from '../src/policy/schema/tests.ts'
import { toolsSchema } from '../src/policy/schema/tools.ts'

const FOLDER = new URL('../policies/schema/', import.meta.url)
const SCHEMAS = { gateway: gatewaySchema, tools: toolsSchema, tests: testsSchema }

/** File name → what must stand in it. */
export function editorSchemas(): ReadonlyMap<string, string> {
  const text = (schema: z.ZodType) => `${JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }), null, 2)}\n`
  return new Map(Object.entries(SCHEMAS).map(([name, schema]) => [`${name}.v1.json`, text(schema)]))
}

async function findStale(): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [name, text] of editorSchemas()) {
    const found = await readFile(new URL(name, FOLDER), 'utf8').catch(() => undefined)
    if (found !== text) stale.push(name)
  }
  return stale
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = await findStale()
  if (!process.argv.includes('--check')) {
    for (const [name, text] of editorSchemas()) await writeFile(new URL(name, FOLDER), text)
  } else if (stale.length > 0) {
    process.stderr.write(`stale: ${stale.map(name => `policies/schema/${name}`).join(', ')}; run \`npm run schemas\`\n`)
    process.exitCode = 1
  }
}
