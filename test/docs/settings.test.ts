import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../../src/settings.ts'
import { ROOT } from './checkout.ts'

test('docs/settings.md has every setting with its variable and default, and no other', () => {
  const docs = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8')
  const rows = [...docs.matchAll(/^\| `--([a-z-]+)` \| `(WICKETGATE_\w+)` \| (?:`([^`]*)`|none) \|/gm)]
  expect(rows.map(([, name, variable, byDefault = '']) => [name, variable, byDefault])).toEqual(
    Object.entries(DEFAULTS).map(([name, byDefault]) => [name, `WICKETGATE_${name.toUpperCase().replaceAll('-', '_')}`, byDefault]),
  )
})
