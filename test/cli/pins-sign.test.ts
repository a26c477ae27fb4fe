import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registerCheck } from '../../src/cli/check.ts'
import { newSigner, type Signer } from '../catalog/signers.ts'
import { startStub, temporaryFolder, tool } from '../catalog/stub.ts'
import { runCommand } from './command.ts'
import { type Desk, desk, lockOf, obey } from './desk.ts'

const [ann, bob, eve] = [newSigner('ann'), newSigner(), newSigner()]

function signersYaml(...signers: readonly Signer[]): string {
  const entries = signers.map(
    ({ config }) => `    - keyId: ${config.keyId}\n      publicKey: |\n${config.publicKey.replace(/^(?=.)/gm, '        ')}`,
  )
  return `pins:\n  signers:\n${entries.join('')}`
}

async function keyFile({ privatePem }: Signer): Promise<string> {
  const path = join(await temporaryFolder(), 'key.pem')
  await writeFile(path, privatePem)
  await chmod(path, 0o600)
  return path
}

const signedDesk = async (...signers: readonly Signer[]) => {
  const stub = await startStub(tool('send'), tool('read'))
  return { stub, ...(await desk({ acme: stub }, signers.length === 0 ? '' : signersYaml(...signers))) }
}

/** Puts signers into a folder that had none. */
const turnOn = async ({ folder }: Pick<Desk, 'folder'>, ...signers: readonly Signer[]) =>
  writeFile(join(folder, 'gateway.yaml'), (await readFile(join(folder, 'gateway.yaml'), 'utf8')) + signersYaml(...signers))

describe('where there are signers', () => {
  test('an approval asks for a key, in the command that is printed too, and signs', async () => {
    const where = await signedDesk(ann, bob)
    const shown = await where.pins('approve', 'acme', '--all')
    expect(shown.out).toMatch(/--key "…"$/m)
    expect((await where.pins('diff')).out).toMatch(/pins approve acme --digest \S+ --policies \S+ --key "…"$/m)
    for (const more of [[], ['--key', '…']]) {
      const [, digest = ''] = /--digest (\S+)/.exec(shown.out) ?? []
      expect(await where.pins('approve', 'acme', '--all', '--digest', digest, ...more)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^Nothing was approved: lock files are signed here \(pins\.signers\)\. Add --key/),
      })
    }
    await expect(lockOf(where, 'acme')).rejects.toThrow('ENOENT')
    const key = await keyFile(ann)
    expect(await obey(await where.pins('approve', 'acme', '--all', '--key', key))).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(await lockOf(where, 'acme'))).toMatchObject({ version: 2, signature: { keyId: 'ann' } })
    expect(await where.pins('verify')).toMatchObject({ code: 0, out: 'acme  whole, signed with the key ann, 2 decisions\n' })
    expect(await where.pins('fetch')).toMatchObject({ code: 0 })
    expect((await where.pins('list')).out).toContain('\n  signed by ann\n')
  })

  test('a rejection signs, too, and another signer may go on', async () => {
    const where = await signedDesk(ann, bob)
    await obey(await where.pins('approve', 'acme', 'send', '--key', await keyFile(ann)))
    await obey(await where.pins('reject', 'acme', 'read', '--key', await keyFile(bob)))
    expect(JSON.parse(await lockOf(where, 'acme'))).toMatchObject({ signature: { keyId: bob.config.keyId }, items: [{ name: 'read' }, {}] })
  })

  test.each([
    ['is nobody’s here', () => keyFile(eve), 'is none of pins.signers'],
    ['is not there', async () => '/nowhere/key.pem', 'the key /nowhere/key.pem cannot be used: ENOENT'],
  ])('a key that %s decides nothing', async (_, key, message) => {
    const where = await signedDesk(ann)
    const shown = await where.pins('approve', 'acme', 'send', '--key', await key())
    expect(await obey(shown)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
    await expect(lockOf(where, 'acme')).rejects.toThrow('ENOENT')
  })

  test('nothing is decided, listed, fetched or checked on top of a file that nobody signed', async () => {
    const where = await signedDesk()
    await obey(await where.pins('approve', 'acme', 'send'))
    await turnOn(where, ann)
    const commands = [['list'], ['fetch'], ['diff'], ['verify'], ['approve', 'acme', 'read', '--key', await keyFile(ann)]]
    for (const words of commands)
      expect(await where.pins(...words)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/acme\.lock\.json:2:\d+ {2}\/version: is not signed/),
      })
    const { exitCode, stdout } = await runCommand(registerCheck, ['check', '--policies', where.folder])
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(/acme\.lock\.json:2:\d+ {2}\/version: is not signed/)])
  })
})

describe('sign', () => {
  test('turns files as they are into signed ones, and shows what it signs', async () => {
    const where = await signedDesk()
    await obey(await where.pins('approve', 'acme', '--all'))
    await turnOn(where, ann)
    const { out, code } = await where.pins('sign', '--key', await keyFile(ann))
    expect(code).toBe(0)
    expect(out).toMatch(
      /^acme {2}\S+\n {2}approved {2}read {2}p1:\S+ {2}\S+ {2}ann\n {2}approved {2}send .*\n {2}signed with the key ann: 2 decisions\n$/,
    )
    expect(await where.pins('verify')).toMatchObject({ code: 0 })
  })

  test('before there are signers works as well, and verify says that nobody checks', async () => {
    const where = await signedDesk()
    await obey(await where.pins('approve', 'acme', '--all'))
    expect((await where.pins('sign', 'acme', '--key', await keyFile(bob))).out).toContain(`signed with the key ${bob.config.keyId}`)
    expect(await where.pins('verify')).toMatchObject({
      code: 1,
      out: 'acme  whole, with a signature that was not checked, 2 decisions\n',
      err: 'No signature was checked: gateway.yaml has no pins.signers\n',
    })
    expect((await where.pins('list')).out).toContain('which nobody checks: there are no pins.signers')
    where.stub.tools(tool('send'), tool('read'), tool('more'))
    expect((await obey(await where.pins('approve', 'acme', 'more'))).out).toContain('The file was signed and is not any more')
    expect(JSON.parse(await lockOf(where, 'acme')).version).toBe(1)
  })

  test('changes keys: signed with the new one while both count, then the old one counts no more', async () => {
    const where = await signedDesk(ann, bob)
    await obey(await where.pins('approve', 'acme', '--all', '--key', await keyFile(ann)))
    await where.pins('sign', '--key', await keyFile(bob))
    expect((await where.pins('verify')).out).toContain(bob.config.keyId)
    const { stub } = where
    const later = await desk({ acme: stub }, signersYaml(bob))
    await where.pins('list')
    await writeFile(join(where.folder, 'gateway.yaml'), await readFile(join(later.folder, 'gateway.yaml')))
    expect(await where.pins('verify')).toMatchObject({ code: 0 })
  })

  test('does not sign what was changed by hand, what is not there, or with a key of nobody here', async () => {
    const where = await signedDesk()
    expect((await where.pins('sign', '--key', await keyFile(ann))).out).toBe('acme: there is no lock file, so there is nothing to sign\n')
    await obey(await where.pins('approve', 'acme', '--all'))
    const path = join(where.folder, 'pins', 'acme.lock.json')
    const before = await readFile(path, 'utf8')
    await writeFile(path, before.replace('does send', 'does more'))
    expect(await where.pins('sign', '--key', await keyFile(ann))).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not the digest'),
    })
    await writeFile(path, before)
    await turnOn(where, ann)
    expect(await where.pins('sign', '--key', await keyFile(eve))).toMatchObject({
      code: 1,
      err: expect.stringContaining('none of pins.signers'),
    })
    expect(await readFile(path, 'utf8')).toBe(before)
  })
})

test('verify names every fault of every file, and says of a file about another server that it counts for nothing', async () => {
  const [acme, other] = [await startStub(tool('send')), await startStub(tool('send'))]
  const where = await desk({ acme, other }, signersYaml(ann))
  await obey(await where.pins('approve', 'acme', 'send', '--key', await keyFile(ann)))
  const signed = await lockOf(where, 'acme')
  await writeFile(join(where.folder, 'pins', 'other.lock.json'), signed)
  expect(await where.pins('verify')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^other .*; about another server, so nothing of it counts$/m),
  })
  await writeFile(join(where.folder, 'pins', 'acme.lock.json'), signed.replace('"ann"', '"eve"'))
  await writeFile(join(where.folder, 'pins', 'other.lock.json'), '{}')
  const { code, err } = await where.pins('verify')
  expect(code).toBe(2)
  expect(err).toMatch(/acme\.lock\.json:\d+:\d+ {2}\/signature: is not that of this content/)
  expect(err).toMatch(/other\.lock\.json:1:1 {2}/)
})
