import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('an ApprovedItem is made in one place', async () => {
  const makers: string[] = []
  for await (const file of glob('src/**/*.ts')) {
    const casts = (await readFile(file, 'utf8')).match(/\bas (?:unknown as )?ApprovedItem\b/g) ?? []
    makers.push(...casts.map(() => file))
  }
  expect(makers).toEqual(['src/catalog/approved-item.ts'])
})
