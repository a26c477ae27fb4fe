import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './checkout.ts'

const pages = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
]
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

describe.each(pages)('%s', page => {
  test('links only to what is there', () => {
    const broken = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(ROOT, target))) return [`${path}: no such file`]
      return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${target}#${anchor}: no such heading`]
    })
    expect(broken).toEqual([])
  })

  test('names only files that are there', () => {
    const named = [...textOf(page).matchAll(/`((?:(?:src|test|examples|deploy|policies\/examples)\/[\w./-]+|tools\/[\w-]+\.ts))`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

test('every page in docs can be found from the README', () => {
  const seen = new Set(['README.md'])
  for (const page of seen) {
    for (const [, path = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)#\s]+\.md)/g)) seen.add(relative('', join(dirname(page), path)))
  }
  expect(pages.filter(page => !seen.has(page))).toEqual([])
})

test('every row of the threat model names a test', () => {
  const rows = textOf('docs/threat-model.md').match(/^\| .* \| .* \| .* \|$/gm) ?? []
  expect(rows.filter(row => !/`test\/[^`]+`|^\| (?:attack|actor) \|/.test(row))).toEqual([])
})
