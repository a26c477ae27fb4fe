import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSettings, SettingsFault } from '../src/settings.ts'

const [one, other] = [randomBytes(32), randomBytes(48)]
const folder = mkdtempSync(join(tmpdir(), 'wicketgate-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fromFile = (text: string) => {
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return loadSettings({ 'secret-file': file }, {})
}

describe('the secret', () => {
  it.each([
    ['base64', one.toString('base64')],
    ['hex', one.toString('hex')],
  ])('is read as %s, from a flag, the environment or a file', (_form, text) => {
    for (const settings of [loadSettings({ secret: text }, {}), loadSettings({}, { WICKETGATE_SECRET: text }), fromFile(`${text}\n`)]) {
      expect([settings.secret, settings.previousSecrets]).toEqual([one, []])
    }
  })

  it('may be followed by others, after commas, in either form', () => {
    const text = `${one.toString('base64')}, ${other.toString('hex')}`
    for (const settings of [loadSettings({ secret: text }, {}), fromFile(text.replace(' ', '\n'))]) {
      expect([settings.secret, settings.previousSecrets]).toEqual([one, [other]])
    }
  })

  it('is one, on however many lines a file has it', () => {
    const long = randomBytes(96)
    const lines = long.toString('base64').replace(/(.{64})/g, '$1\n')
    expect([fromFile(lines).secret, fromFile(lines).previousSecrets]).toEqual([long, []])
  })

  it('is not there when nothing is given', () => {
    for (const settings of [loadSettings({}, {}), fromFile('\n')])
      expect([settings.secret, settings.previousSecrets]).toEqual([undefined, []])
  })

  it.each([
    ['too short', randomBytes(31).toString('base64')],
    ['followed by one too short', `${one.toString('hex')},abcd`],
    ['followed by a comma', `${one.toString('hex')},`],
  ])('is refused when it is %s', (_what, secret) => {
    expect(() => loadSettings({ secret }, {})).toThrow(SettingsFault)
  })

  it('is refused when it is given twice, or not at all where processes share a store', () => {
    expect(() => loadSettings({ secret: one.toString('hex'), 'secret-file': '/nowhere' }, {})).toThrow(SettingsFault)
    expect(() => loadSettings({ store: 'redis://localhost' }, {})).toThrow(SettingsFault)
  })

  it('in a file that cannot be read is a fault in the settings, and says which file', () => {
    const file = join(folder, 'nothing')
    expect(() => loadSettings({ 'secret-file': file }, {})).toThrow(new SettingsFault(`secret-file: ${file} cannot be read: ENOENT`))
  })
})
