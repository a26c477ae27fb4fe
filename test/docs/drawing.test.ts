import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LADDER } from '../../src/pipeline/ladder.ts'
import { DRAWN_FILES, drawRequest, redraw } from '../../tools/drawing.ts'
import { ROOT } from './checkout.ts'

test.each(DRAWN_FILES)('the drawing in %s is the ladder as it is now', name => {
  const text = readFileSync(join(ROOT, name), 'utf8')
  expect(text).toContain(drawRequest())
  expect(redraw(text)).toBe(text)
})

test('the drawing has every rung, in order', () => {
  const drawn = [...drawRequest().matchAll(/◀─ (\w+) +(.+)/g)].map(([, step, asks]) => ({ step, asks }))
  expect(drawn).toEqual(LADDER.map(({ step, asks }) => ({ step, asks })))
})
