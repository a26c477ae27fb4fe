import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CANCELLED, NAMED_BY } from '../../src/mcp/methods.ts'
import { ROOT } from './checkout.ts'

/** Methods named in the first column of the tables of a page. */
function methodsOf(page: string): readonly string[] {
  const cells = readFileSync(join(ROOT, page), 'utf8').matchAll(/^\| ((?:`[a-z]+\/[a-z/]+`(?:, )?)+) \|/gm)
  return [...cells].flatMap(([, cell = '']) => cell.split(', ').map(name => name.replaceAll('`', '')))
}

test.each(['docs/methods.md', 'docs/request.md'])('%s has every method that is served once, and no other', page => {
  expect(methodsOf(page).toSorted()).toEqual([...NAMED_BY.keys(), CANCELLED].toSorted())
})
