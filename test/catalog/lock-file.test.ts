import { createHash } from 'node:crypto'
import { lutimes, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/catalog/decisions.ts'
import type { PinKind } from '../../src/catalog/kinds.ts'
import { type Lock, LockFileError } from '../../src/catalog/lock.ts'
import { loadLocks } from '../../src/catalog/lock-directory.ts'
import { editLock, loadLock, lockPath, lockText } from '../../src/catalog/lock-file.ts'
import { pinOf } from '../../src/catalog/pin.ts'
import type { SeenItem } from '../../src/catalog/read-item.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { parseJson } from '../../src/core/json.ts'
import { temporaryFolder, upstreamAt } from './stub.ts'

const UPSTREAM = upstreamAt('acme', 'https://acme.test/mcp')

function seen(name: string, members = '"inputSchema":{"type":"object"}'): SeenItem {
  const descriptor = parseJson(Buffer.from(`{"name":${JSON.stringify(name)},${members}}`)).value as JsonObject
  const pin = pinOf({ upstream: 'acme', endpoint: UPSTREAM.url, kind: 'tool', name, variant: 'shared', descriptor })
  return { kind: 'tool', name, variant: 'shared', pin, descriptor, paramHeaders: [] }
}

const by = (state: 'approved' | 'rejected') => ({ state, by: 'ann', atMs: Date.UTC(2026, 10, 29), reason: 'read it' }) as const
const approved = (...tools: readonly SeenItem[]): Lock => decide(undefined, UPSTREAM, tools, by('approved'))

async function faultsOf(text: string) {
  const folder = await temporaryFolder()
  await writeFile(lockPath(folder, 'acme'), text)
  const error = await loadLock(folder, 'acme', []).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(LockFileError)
  return (error as LockFileError).faults
}

describe('a lock file', () => {
  test('is sorted, stable, and gives back every digit and every character', async () => {
    const tools = [
      seen('b', '"zz":9007199254740993,"e":1e-7,"empty":[{},[]]'),
      seen('a', '"description":"zero\u200bwidth \u{E0041} e\u0301 \\"q\\""'),
    ]
    const text = lockText(approved(...tools))
    expect(lockText(approved(...tools.toReversed()))).toBe(text)
    expect(text.indexOf('"name": "a"')).toBeLessThan(text.indexOf('"name": "b"'))
    expect(text).toContain('9007199254740993')
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: [] }, () => approved(...tools))
    const loaded = await loadLock(folder, 'acme', [])
    expect(loaded && lockText(loaded)).toBe(text)
    expect(loaded?.items.map(item => item.pin)).toEqual([tools[1]?.pin, tools[0]?.pin])
  })

  test('says whose first contact is over without a decision, where there is somebody', async () => {
    const lock = { ...approved(seen('a')), met: ['shared', 'acme'] }
    expect(lockText(approved(seen('a')))).not.toContain('met')
    expect(lockText(lock)).toContain('"met": [')
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: [] }, () => lock)
    expect((await loadLock(folder, 'acme', []))?.met).toEqual(['acme', 'shared'])
    // Decisions keep it, and those about another server do not.
    expect(decide(lock, UPSTREAM, [seen('b')], by('approved')).met).toEqual(['shared', 'acme'])
    expect(decide(lock, upstreamAt('acme', 'https://other.test/mcp'), [seen('b')], by('approved')).met).toEqual([])
    for (const met of ['"acme"', '[1]', '["a b"]', '["acme","acme"]'])
      expect((await faultsOf(lockText(lock).replace(/"met": \[[^\]]*\]/, `"met": ${met}`)))[0]?.message).toContain('/met: must be a list')
  })

  test('spells out hidden characters, so that a review of the file shows them (A-54)', () => {
    expect(lockText(approved(seen('a', '"description":"a\u202eb\u{E0041}"')))).toContain('"a\\u202eb\\udb40\\udc41"')
  })

  test('holds every kind, tools first, and one of tools alone is what it always was', async () => {
    const shows = (kind: PinKind, name: string, member: string): SeenItem => {
      const descriptor = { [member]: name, title: 'T' }
      return {
        kind,
        name,
        variant: 'shared',
        pin: pinOf({ upstream: 'acme', endpoint: UPSTREAM.url, kind, name, variant: 'shared', descriptor }),
        descriptor,
        paramHeaders: [],
      }
    }
    const items = [
      shows('server', 'server', 'instructions'),
      shows('resourceTemplate', 'file:///{x}', 'uriTemplate'),
      shows('resource', 'file:///a', 'uri'),
      shows('prompt', 'send', 'name'),
    ]
    const [tools, all] = [lockText(approved(seen('send'))), lockText(approved(...items, seen('send')))]
    expect(JSON.parse(all).items.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['tool', 'send'],
      ['prompt', 'send'],
      ['resource', 'file:///a'],
      ['resourceTemplate', 'file:///{x}'],
      ['server', 'server'],
    ])
    expect(all.startsWith(tools.slice(0, -'\n  ]\n}\n'.length))).toBe(true)
    expect(createHash('sha256').update(tools).digest('hex')).toBe('88f37b5d0b506e04f8a7568fe23fea67b707cacc91e3d60c4b64e6ea7cf98699')
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: [] }, () => approved(...items, seen('send')))
    const loaded = await loadLock(folder, 'acme', [])
    expect(loaded && lockText(loaded)).toBe(all)
    const again = decide(loaded, UPSTREAM, items.slice(3), by('approved'))
    expect(again.items.filter(({ name }) => name === 'send').map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'tool approved',
      'prompt approved',
    ])
    const rejected = decide(loaded, UPSTREAM, items.slice(3), by('rejected'))
    expect(rejected.items.filter(({ name }) => name === 'send').map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'tool approved',
      'prompt rejected',
    ])
  })

  test('is absent before the first decision', async () => {
    expect(await loadLock(await temporaryFolder(), 'acme', [])).toBeUndefined()
  })
})

describe('a lock file is refused, with the place, when', () => {
  const text = lockText(approved(seen('send', '"description":"Sends."'), seen('read')))
  test.each([
    ['the text of a descriptor was changed', text.replace('Sends.', 'Sends!'), /^\/items\/1\/pin: is not the digest/, 27],
    ['a pin was changed', text.replace(/p1:./, 'p1:x'), /^\/items\/0\/pin: is not the digest/, 11],
    ['the URL was changed', text.replace('acme.test', 'evil.test'), /\/pin: is not the digest/, 11],
    ['the name was changed', text.replace('"name": "send"', '"name": "sand"'), /must be the descriptor of the tool/, 31],
    ['it is not JSON', `${text}x`, /text after/, 38],
    ['a key appears twice', text.replace('"version": 1,', '"version": 1,\n  "version": 1,'), /duplicate/i, 3],
    ['a key is unknown', text.replace('"version": 1,', '"version": 1,\n  "signature": "x",'), /^\/signature: unknown key/, 3],
    ['it is of a later version', text.replace('"version": 1', '"version": 3'), /version 1, and version 2/, 2],
    ['it says that it is signed and is not', text.replace('"version": 1', '"version": 2'), /needs a "signature"/, 2],
    ['a state is unknown', text.replace('"approved"', '"maybe"'), /must be "approved" or "rejected"/, 10],
    [
      'a kind is unknown',
      text.replace('"kind": "tool"', '"kind": "root"'),
      /must be one of tool, prompt, resource, resourceTemplate, server/,
      7,
    ],
    ['a kind is another', text.replace('"kind": "tool"', '"kind": "prompt"'), /^\/items\/0\/pin: is not the digest/, 11],
    ['a member is missing', text.replace('      "by": "ann",\n', ''), /"by" is missing/, 6],
  ])('%s', async (_, changed, message, line) => {
    const faults = await faultsOf(changed)
    expect(faults[0]).toMatchObject({ file: expect.stringMatching(/\/acme\.lock\.json$/), line, message: expect.stringMatching(message) })
  })

  test.each([
    ['prompt', { name: 'other' }],
    ['resource', { uri: 'file:///b', name: 'file:///a' }],
    ['resourceTemplate', { uriTemplate: 'file:///b' }],
  ] as const)('a %s has the descriptor of another', async (kind, descriptor) => {
    const name = 'file:///a'
    const pin = pinOf({ upstream: 'acme', endpoint: UPSTREAM.url, kind, name, variant: 'shared', descriptor })
    const lock = decide(undefined, UPSTREAM, [{ kind, name, variant: 'shared', pin, descriptor }], by('approved'))
    expect((await faultsOf(lockText(lock)))[0]?.message).toBe(
      `/items/0/descriptor: must be the descriptor of the ${kind} it is listed under`,
    )
  })

  test('a tool is decided twice', async () => {
    const lock = approved(seen('send'))
    expect((await faultsOf(lockText({ ...lock, items: [...lock.items, ...lock.items] })))[0]?.message).toContain('decided twice')
  })

  test('it is not UTF-8', async () => {
    const folder = await temporaryFolder()
    await writeFile(lockPath(folder, 'acme'), Buffer.from([0x7b, 0xff, 0x7d]))
    await expect(loadLock(folder, 'acme', [])).rejects.toBeInstanceOf(LockFileError)
  })

  test('all faults of all files are reported at once', async () => {
    const folder = await temporaryFolder()
    await writeFile(lockPath(folder, 'acme'), '[]')
    await writeFile(lockPath(folder, 'other'), text.replaceAll('"approved"', '1'))
    const error = await loadLocks(folder, ['acme', 'other', 'absent'], []).catch((fault: unknown) => fault)
    const files = (error as LockFileError).faults.map(fault => fault.file.split('/').at(-1))
    expect(new Set(files)).toEqual(new Set(['acme.lock.json', 'other.lock.json']))
    expect(files.length).toBeGreaterThan(2)
  })
})

describe('editing a lock file', () => {
  test('by twenty reviewers at once loses no entry', async () => {
    const folder = await temporaryFolder()
    const names = Array.from({ length: 20 }, (_, index) => `tool${index}`)
    await Promise.all(
      names.map(name => editLock(folder, 'acme', { signers: [] }, lock => decide(lock, UPSTREAM, [seen(name)], by('approved')))),
    )
    expect((await loadLock(folder, 'acme', []))?.items.map(item => item.name)).toEqual(names.toSorted())
    expect(await readdir(folder)).toEqual(['acme.lock.json'])
  })

  test('that fails leaves the file as it was', async () => {
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: [] }, () => approved(seen('send')))
    const before = await readFile(lockPath(folder, 'acme'), 'utf8')
    const fail = () => {
      throw new Error('no')
    }
    await expect(editLock(folder, 'acme', { signers: [] }, fail)).rejects.toThrow('no')
    expect(await readFile(lockPath(folder, 'acme'), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['acme.lock.json'])
  })

  test('goes on after a writer that died', async () => {
    const folder = await temporaryFolder()
    const left = join(folder, 'acme.lock.json.new')
    await writeFile(left, '{')
    await utimes(left, 1, 1)
    await editLock(folder, 'acme', { signers: [] }, () => approved(seen('send')))
    expect(await readdir(folder)).toEqual(['acme.lock.json'])
  })

  test('goes on where somebody has left a link that leads nowhere', async () => {
    const folder = await temporaryFolder()
    const left = join(folder, 'acme.lock.json.new')
    await symlink('/nowhere', left)
    await lutimes(left, 1, 1)
    await editLock(folder, 'acme', { signers: [] }, () => approved(seen('send')))
    expect(await readdir(folder)).toEqual(['acme.lock.json'])
  })

  test('refuses a file that was tampered with, instead of writing it anew', async () => {
    const folder = await temporaryFolder()
    await writeFile(lockPath(folder, 'acme'), lockText(approved(seen('send'))).replace('"object"', '"string"'))
    await expect(
      editLock(folder, 'acme', { signers: [] }, lock => decide(lock, UPSTREAM, [seen('read')], by('approved'))),
    ).rejects.toBeInstanceOf(LockFileError)
  })
})

describe('a decision', () => {
  const old = seen('send', '"description":"old"')
  const next = seen('send', '"description":"next"')
  const states = (lock: Lock) => lock.items.map(item => `${item.state} ${String(item.descriptor.description)}`)

  test('to approve replaces the approval of another text and the rejection of the same', () => {
    const rejected = decide(approved(old), UPSTREAM, [next], by('rejected'))
    expect(states(rejected)).toEqual(['approved old', 'rejected next'])
    expect(states(decide(rejected, UPSTREAM, [next], by('approved')))).toEqual(['approved next'])
  })

  test('to reject what is approved takes the approval away', () => {
    expect(states(decide(approved(old), UPSTREAM, [old], by('rejected')))).toEqual(['rejected old'])
  })

  test('about another URL starts anew', () => {
    const moved = upstreamAt('acme', 'https://acme.test/other')
    expect(decide(approved(old), moved, [next], by('approved'))).toMatchObject({
      url: moved.url,
      items: [{ reason: 'read it', at: '2026-11-29T00:00:00.000Z' }],
    })
  })
})
