import { expect, test } from 'vitest'
import { visibleName } from '../../src/catalog/index.ts'

test('a name has no gap behind which something else seems to begin', () => {
  const shown = visibleName(`send${' '.repeat(60)}approved  other`)
  expect(shown).not.toMatch(/ {4}/)
  expect(shown.startsWith('send\\u{20}\\u{20}')).toBe(true)
})

test('a name that is cut is not cut within a character', () => {
  for (let before = 120; before < 130; before += 1) {
    const shown = visibleName(`${'a'.repeat(before)}${'\u{1f600}'.repeat(40)}`)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.endsWith('…')).toBe(true)
  }
})
