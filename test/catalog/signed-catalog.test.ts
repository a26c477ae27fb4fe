import { copyFile, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { decide, editLock, LockFileError, loadLock } from '../../src/catalog/index.ts'
import { lockPath } from '../../src/catalog/lock-file.ts'
import { parseSigningKey } from '../../src/catalog/lock-signature.ts'
import { newSigner, type Signer } from './signers.ts'
import { type Bench, bench, eventually, shown, startStub, tool } from './stub.ts'

const [ann, bob, eve] = [newSigner(), newSigner(), newSigner()]
const pins = (...signers: readonly Signer[]) =>
  ({ onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 600_000, signers: signers.map(({ config }) => config) }) as const
const key = ({ privatePem }: Signer) => parseSigningKey(privatePem, [])

/** Approves what an upstream shows, and signs. */
async function approveAs(signer: Signer | undefined, { lockDirectory, seen, upstreams }: Bench, alias = 'acme'): Promise<void> {
  const [items, upstream] = [await seen(alias), upstreams.get(alias)]
  if (upstream === undefined) throw new Error(alias)
  const decision = { state: 'approved', by: 'ann', atMs: 0, reason: '' } as const
  const signing = { signers: [], key: signer === undefined ? undefined : key(signer) }
  await editLock(lockDirectory, alias, signing, lock => decide(lock, upstream, items, decision))
}

describe('where there are signers, a gateway', () => {
  test('shows what a signed lock approves', async () => {
    const desk = await bench({ acme: await startStub(tool('send')) })
    await approveAs(ann, desk)
    expect(shown(await desk.catalog({ pins: pins(ann, bob) }), desk.endpoint)).toEqual(['acme__send'])
  })

  test.each([
    ['unsigned', undefined],
    ['signed by nobody it knows', eve],
  ])('does not start on a lock that is %s', async (_, signer) => {
    const desk = await bench({ acme: await startStub(tool('send')) })
    await approveAs(signer, desk)
    await expect(desk.catalog({ pins: pins(ann) })).rejects.toBeInstanceOf(LockFileError)
  })

  test('keeps the lock it has when the file turns into one that is unsigned, and takes up one that is signed', async () => {
    const stub = await startStub(tool('send'))
    const desk = await bench({ acme: stub })
    await approveAs(ann, desk)
    const running = await desk.catalog({ pins: pins(ann, bob) })
    stub.tools(tool('send'), tool('more'))
    running.suspect('acme', 'shared')
    await eventually(() => running.states()[0]?.pending === 1)
    await approveAs(undefined, desk)
    await eventually(() => desk.events.some(({ name }) => name === 'lock.refused'))
    expect(desk.events.at(-1)?.facts.reason).toMatch(/acme\.lock\.json:2:\d+ {2}\/version: is not signed/)
    expect(shown(running, desk.endpoint)).toEqual(['acme__send'])
    await approveAs(bob, desk)
    await eventually(() => shown(running, desk.endpoint).length === 2)
    expect(desk.events).toContainEqual({ name: 'lock.loaded', facts: { alias: 'acme', signer: bob.config.keyId } })
  })

  test('takes nothing from the signed file of another upstream, put in the place of this one’s', async () => {
    const desk = await bench({ acme: await startStub(tool('send')), other: await startStub(tool('send')) })
    await approveAs(ann, desk, 'other')
    await copyFile(lockPath(desk.lockDirectory, 'other'), lockPath(desk.lockDirectory, 'acme'))
    expect(shown(await desk.catalog({ pins: pins(ann) }), desk.endpoint)).toEqual(['other__send'])
  })

  test('takes nothing from a file that was signed for another URL', async () => {
    const desk = await bench({ acme: await startStub(tool('send')) })
    await approveAs(ann, desk)
    const moved = await bench({ acme: await startStub(tool('send')) })
    await copyFile(lockPath(desk.lockDirectory, 'acme'), lockPath(moved.lockDirectory, 'acme'))
    expect(shown(await moved.catalog({ pins: pins(ann) }), moved.endpoint)).toEqual([])
  })

  test('has nothing approved where a lock file is gone', async () => {
    const desk = await bench({ acme: await startStub(tool('send')) })
    await approveAs(ann, desk)
    const running = await desk.catalog({ pins: pins(ann) })
    await rm(lockPath(desk.lockDirectory, 'acme'))
    await eventually(() => shown(running, desk.endpoint).length === 0)
  })

  test('trusts nothing on first use, for it has no key, and says so', async () => {
    const desk = await bench({ acme: await startStub(tool('send')) })
    const running = await desk.catalog({ pins: { ...pins(ann), onFirstUse: 'trust' } })
    expect(shown(running, desk.endpoint)).toEqual([])
    expect(running.states()).toMatchObject([{ approved: 0, pending: 1 }])
    expect(desk.events).toContainEqual({
      name: 'pin.trust_refused',
      facts: { alias: 'acme', reason: 'pins.signers: only a person can sign' },
    })
    expect(await loadLock(desk.lockDirectory, 'acme', [])).toBeUndefined()
  })
})

test('a later revision with signers is refused on unsigned locks, as a first one is', async () => {
  const desk = await bench({ acme: await startStub(tool('send')) })
  await approveAs(undefined, desk)
  const first = await desk.catalog()
  await expect(desk.catalog({ previous: first, pins: pins(ann) })).rejects.toThrow('is not signed')
  expect(shown(first, desk.endpoint)).toEqual(['acme__send'])
})

test('a signed lock that is edited without a key is unsigned again, where nobody asks for signatures', async () => {
  const desk = await bench({ acme: await startStub(tool('send')) })
  await approveAs(ann, desk)
  expect((await loadLock(desk.lockDirectory, 'acme', []))?.signature).toBeDefined()
  await approveAs(undefined, desk)
  expect((await loadLock(desk.lockDirectory, 'acme', []))?.signature).toBeUndefined()
})
