import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './checkout.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
/** Names that are put together of two parts, by the second one. */
const IDEMPOTENCY = ['settle_delayed', 'record_lost', 'read_unrecorded', 'answer_too_large', 'answer_unreadable']

test('every event that the trail can hold is told of in the docs', () => {
  const pages = read('docs/audit.md') + read('docs/pins.md')
  const source = globSync('src/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  const named = [...source.matchAll(/\b(?:report|event|say|emitEvent|#report|#tell)\(\s*'([a-z_.]+)'/g)].map(([, name = '']) => name)
  const names = new Set(named.map(name => (IDEMPOTENCY.includes(name) ? `idempotency.${name}` : name)))
  expect(names.size).toBeGreaterThan(20)
  expect([...names].filter(name => !pages.includes(`\`${name}\``))).toEqual([])
})
