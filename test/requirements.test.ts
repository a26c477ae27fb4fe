import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REQUIREMENTS } from './requirements.ts'

const cited = new Set(
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts') && !file.endsWith('requirements.test.ts'))
    .flatMap(file => readFileSync(join('test', file), 'utf8').match(/\[REQ-[A-Z0-9-]+\]/g) ?? [])
    .map(citation => citation.slice(1, -1)),
)
const ids = Object.keys(REQUIREMENTS)

describe('requirements', () => {
  it('are each cited by a test', () => {
    expect(ids.filter(id => !cited.has(id))).toEqual([])
  })

  it('are all that tests cite', () => {
    expect([...cited].filter(id => !ids.includes(id))).toEqual([])
  })

  it('say where they are written, and are one sentence each', () => {
    for (const [id, { link, says }] of Object.entries(REQUIREMENTS)) {
      expect(id).toMatch(/^REQ(-[A-Z0-9]+)+$/)
      expect(link).toMatch(
        /^https:\/\/(modelcontextprotocol\.io\/(?:specification\/2026-07-28\/|seps\/2663-tasks-extension#)|www\.rfc-editor\.org\/rfc\/rfc\d+#section-)/,
      )
      expect(says).toMatch(/^[A-Z].*\.$/)
    }
    expect(new Set(Object.values(REQUIREMENTS).map(({ says }) => says)).size).toBe(ids.length)
  })
})
