import { setImmediate as breathe } from 'node:timers/promises'
import type { Face } from '../src/catalog/face.ts'
import { findingsInTurns } from '../src/catalog/findings.ts'
import { SnapshotError, takeSnapshot } from '../src/catalog/snapshot.ts'
import { JsonError, parseJson } from '../src/core/json.ts'
import { compileDescriptor } from '../src/validation/descriptor.ts'
import { makeBulk } from './bulk.ts'
import { makeHostile } from './hostile.ts'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

/** What is read of one page of a list at most. */
const MAX_PAGE = 4_194_304
const UPSTREAM = { alias: 'a', url: 'http://a', variant: 'shared', dropPointers: [], xMcpHeaderAllowNumber: false } as unknown as Face

/** A page of tools as large as one may be: read, pinned, scanned and, as if approved, compiled, with other things to do in between. */
export async function checkList(random: Random, tally: Tally): Promise<void> {
  const count = random.pick([1, 1, 3, 30, 300, 1_000])
  const each = Math.floor((MAX_PAGE - 1_000) / count) - 200
  const tools = Array.from({ length: count }, (_, index) => tool(random, `t${index}`, Math.min(each, random.pick([each, 2_000]))))
  const page = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools.join()}]}}`)
  tally.count('lists')
  tally.count('checks')
  await tally.turning(async () => {
    try {
      const { items } = await takeSnapshot('tool', async () => parseJson(page), UPSTREAM)
      const scan = findingsInTurns(items.values())
      for (const item of items.values()) {
        await scan(item)
        compileDescriptor(item.descriptor)
        await breathe()
      }
      return 'read'
    } catch (error) {
      if (error instanceof JsonError) return error.reason
      if (error instanceof SnapshotError) return error.message
      throw error
    }
  })
}

function tool(random: Random, name: string, bytes: number): string {
  const schema = { ...(makeHostile(random).schema as object), type: 'object' }
  const text = JSON.stringify(schema)
  const inputSchema = text.length < Math.min(bytes, 66_000) ? text : '{"type":"object"}'
  const member = random.pick(['_meta', 'description', 'title', 'annotations', 'x'])
  const members = `"name":"${name}","inputSchema":${inputSchema}`
  return `{${members},"${member}":${makeBulk(random, Math.max(10, bytes - members.length))}}`
}
