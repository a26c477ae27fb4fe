import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LISTS, type ListName } from '../../src/subscriptions/outlook.ts'
import { SeenLists } from '../../src/subscriptions/seen-lists.ts'

const digests = fc.record({ tools: fc.base64String(), prompts: fc.base64String(), resources: fc.base64String() })

it('what was told is the same text for whoever comes back with it, and nothing is told twice', () => {
  fc.assert(
    fc.property(digests, digests, (before, now) => {
      const first = new SeenLists(LISTS)
      first.begin(list => before[list], undefined)
      expect(first.changed(list => before[list])).toEqual([])
      const second = new SeenLists(LISTS)
      second.begin(list => now[list], first.told)
      expect(second.told).toBe(first.told)
      const changed = second.changed(list => now[list])
      expect(changed).toEqual(LISTS.filter(list => before[list].slice(0, 22) !== now[list].slice(0, 22)))
      expect(second.changed(list => now[list])).toEqual([])
    }),
  )
})

it('a list that has changed is not told of before it is', () => {
  const digest: Record<ListName, string> = { tools: 'a', prompts: 'b', resources: 'c' }
  const seen = new SeenLists(LISTS)
  seen.begin(list => digest[list], undefined)
  const before = seen.told
  digest.tools = 'changed'
  expect(seen.changed(list => digest[list])).toEqual(['tools'])
  expect(seen.told).toBe(before)
  expect(seen.tell('tools')).toBe('changed.b.c')
  expect(seen.told).toBe('changed.b.c')
})

it('text that is not its own counts as nothing seen', () => {
  const seen = new SeenLists(['tools'])
  seen.begin(() => 'now', '')
  expect(seen.changed(() => 'now')).toEqual(['tools'])
})
