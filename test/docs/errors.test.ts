import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts'
import { ROOT } from './checkout.ts'

const docs = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
const sections = new Map(
  docs
    .split(/^## /m)
    .slice(1)
    .map(section => [section.slice(0, section.indexOf('\n')), section]),
)
const codes = Object.keys(ERRORS) as ErrorCode[]

test('every code has a section, every section a code, in the order of the catalogue', () => {
  expect([...sections.keys()]).toEqual(codes)
})

test.each(codes)('the section of %s gives its form, status and text, and says what to do', code => {
  const { deliver, status, rpc, text } = ERRORS[code]
  const form = { http: `HTTP ${status}`, rpc: `HTTP ${status} · JSON-RPC ${rpc}`, tool: 'tool result' }[deliver]
  const section = sections.get(code) ?? ''
  expect(section.split('\n')[2]).toBe(`${form} · *${text.trim()}*`)
  expect(section).toMatch(/^\*\*Do:\*\* ./m)
})
