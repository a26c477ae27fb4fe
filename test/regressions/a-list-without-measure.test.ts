/*
 * An upstream answered its list with fifty pages of four megabytes each, within every limit there was: pages, items, bytes of one
 * answer. All of it was kept, though nobody had approved a word of it, and once more while the list was read again every five
 * seconds (its own `ttlMs`): 200 to 600 MB in a process that other upstreams need.
 * So: a list has a limit in all, and one beyond it is no list.
 */
import { expect, it } from 'vitest'
import type { Face } from '../../src/catalog/face.ts'
import { takeSnapshot } from '../../src/catalog/snapshot.ts'
import { parseJsonText } from '../../src/core/json.ts'

const upstream = {
  alias: 'acme',
  url: 'http://127.0.0.1/mcp',
  dropPointers: [],
  xMcpHeaderAllowNumber: false,
  variant: 'shared',
} as unknown as Face

const listOf = (pages: number, description: string) => {
  let asked = 0
  const fetchPage = async () => {
    asked += 1
    const tools = [{ name: `t${asked}`, description, inputSchema: { type: 'object' } }]
    return parseJsonText(JSON.stringify({ result: { tools, ...(asked < pages ? { nextCursor: String(asked) } : {}) } }))
  }
  return { take: () => takeSnapshot('tool', fetchPage, upstream), asked: () => asked }
}

it('stops reading where it becomes too much', async () => {
  const huge = listOf(50, 'x'.repeat(4_000_000))
  await expect(huge.take()).rejects.toThrow('more than 16777216 characters')
  expect(huge.asked()).toBe(5)
  const large = listOf(3, 'x'.repeat(4_000_000))
  expect((await large.take()).items.size).toBe(3)
})
