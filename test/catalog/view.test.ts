import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('an ApprovedTool is made in one place', async () => {
  const makers: string[] = []
  for await (const file of glob('src/**/*.ts')) {
    const casts = (await readFile(file, 'utf8')).match(/\bas (?:unknown as )?ApprovedTool\b/g) ?? []
    makers.push(...casts.map(() => file))
  }
  expect(makers).toEqual(['src/catalog/view.ts'])
})
