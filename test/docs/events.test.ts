import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './checkout.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('every event that the trail can hold is told of in the docs', () => {
  const pages = read('docs/audit.md') + read('docs/pins.md')
  const source = globSync('src/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  const named = source.matchAll(/\b(?:report|event|say|emitEvent|#report|#tell)(?:\?\.)?\(\s*'([a-z_.]+)'/g)
  const names = new Set([...named].map(([, name = '']) => name))
  expect(names.size).toBeGreaterThan(20)
  expect([...names].filter(name => !pages.includes(`\`${name}\``))).toEqual([])
})
