import { generateKeyPairSync, verify } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/catalog/decisions.ts'
import { type Lock, LockFileError, parseLock } from '../../src/catalog/lock.ts'
import { editLock, loadLock, lockPath, lockText } from '../../src/catalog/lock-file.ts'
import { parseSigningKey } from '../../src/catalog/lock-signature.ts'
import { pinOf } from '../../src/catalog/pin.ts'
import type { PinSigner, UpstreamConfig } from '../../src/core/configuration.ts'
import { newSigner, type Signer } from './signers.ts'
import { temporaryFolder, upstreamAt } from './stub.ts'

const UPSTREAM = upstreamAt('acme', 'https://acme.test/mcp')
const [ann, bob, eve] = [newSigner(), newSigner('bob-2026'), newSigner()]
const SIGNERS = [ann.config, bob.config]
const keyOf = ({ privatePem }: Signer, signers: readonly PinSigner[] = []) => parseSigningKey(privatePem, signers)

function lockOf(upstream: UpstreamConfig = UPSTREAM, name = 'send'): Lock {
  const descriptor = { name, description: `Does ${name}.\u200b`, inputSchema: { type: 'object' } }
  const pin = pinOf({ upstream: upstream.alias, endpoint: upstream.url, kind: 'tool', name, variant: 'shared', descriptor })
  const decision = { state: 'approved', by: 'ann', atMs: 0, reason: 'read it' } as const
  return decide(undefined, upstream, [{ kind: 'tool', name, variant: 'shared', pin, descriptor }], decision)
}

/** What is wrong with a file under these signers; empty when nothing is. */
async function faultsIn(text: string | Uint8Array, signers: readonly PinSigner[] = SIGNERS): Promise<readonly string[]> {
  try {
    await parseLock(Buffer.from(text), 'pins/acme.lock.json', signers)
    return []
  } catch (error) {
    if (!(error instanceof LockFileError)) throw error
    return error.faults.map(({ line, message }) => `${line} ${message}`)
  }
}

const SIGNED = lockText(lockOf(), keyOf(ann, SIGNERS))
const READ = await parseLock(Buffer.from(SIGNED), 'x', [])

describe('a signed lock file', () => {
  test('counts when one of the signers signed it, whichever', async () => {
    expect(await faultsIn(SIGNED)).toEqual([])
    expect(await faultsIn(lockText(lockOf(), keyOf(bob, SIGNERS)))).toEqual([])
    expect((await parseLock(Buffer.from(SIGNED), 'x', SIGNERS)).signature?.keyId).toBe(ann.config.keyId)
  })

  test('differs from an unsigned one in its version and its last member alone, and is the same each time', () => {
    const unsigned = lockText(lockOf())
    expect(SIGNED.replace('"version": 2', '"version": 1').replace(/,\n {2}"signature": \{[^}]*\}/, '')).toBe(unsigned)
    expect(lockText(lockOf(), keyOf(ann))).toBe(SIGNED)
  })

  test('can be verified with other tools: Ed25519 over a domain and the RFC 8785 text of all but the signature', () => {
    const { signature, ...content } = JSON.parse(SIGNED)
    const bytes = Buffer.from(`wicketgate/lock/v2\0${canonicalize(content)}`)
    expect(verify(null, bytes, ann.config.publicKey, Buffer.from(signature.value, 'base64'))).toBe(true)
  })

  test('is read where nobody asks for signatures, so that files can be signed before gateways ask', async () => {
    expect(await faultsIn(SIGNED, [])).toEqual([])
  })

  test('says of whom it was signed that they were met, and nobody can add to them', async () => {
    const text = lockText({ ...lockOf(), met: ['shared', 'a'] }, keyOf(ann, SIGNERS))
    expect(await faultsIn(text)).toEqual([])
    for (const other of [
      text.replace('"a",', '"b",'),
      text.replace(/ {2}"met": \[[^\]]*\],\n/, ''),
      SIGNED.replace('  "items"', '  "met": ["a"],\n  "items"'),
    ]) {
      expect([text, SIGNED]).not.toContain(other)
      expect((await faultsIn(other))[0]).toContain('is not that of this content')
    }
  })

  test('with any byte flipped is refused, or says the same', async () => {
    const bytes = Buffer.from(SIGNED)
    const same = JSON.stringify(JSON.parse(SIGNED))
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        if ((await faultsIn(flipped)).length > 0) refused += 1
        else expect(JSON.stringify(JSON.parse(flipped.toString()))).toBe(same)
      }),
      { numRuns: 2_000 },
    )
    expect(refused).toBeGreaterThan(1_000)
  })
})

describe('under signers, a lock file is refused when', () => {
  const reason = (text: string) => text.replaceAll('read it', 'read it all')
  const signature = (from: string) => /"signature": \{[^}]*\}/.exec(from)?.[0] ?? ''
  const other = lockText(lockOf(UPSTREAM, 'read'), keyOf(ann))
  test.each([
    ['it is not signed', lockText(lockOf()), /^2 \/version: is not signed, which pins\.signers asks for: .*pins sign/],
    ['its signature was taken away (a downgrade to version 1)', lockText(READ), /^2 .*is not signed/],
    ['its signature was left and the version lowered', SIGNED.replace('"version": 2', '"version": 1'), /^2 .*is not signed/m],
    ['the signature is gone and the version stayed', SIGNED.replace(/,\n {2}"signature": \{[^}]*\}/, ''), /^2 .*needs a "signature"/],
    ['a key signed it that is nobody’s here', lockText(lockOf(), keyOf(eve)), /^\d+ \/signature: its key is none of pins\.signers/],
    [
      'that key is named as if it were a signer’s',
      lockText(lockOf(), { ...keyOf(eve), keyId: ann.config.keyId }),
      /^\d+ \/signature: is not that of this content/,
    ],
    ['one signer is named and another signed', lockText(lockOf(), { ...keyOf(ann), keyId: 'bob-2026' }), /is not that of this content/],
    ['a reason was changed, which no pin covers', reason(SIGNED), /^\d+ \/signature: is not that of this content/],
    ['the signature is that of another file', SIGNED.replace(signature(SIGNED), signature(other)), /is not that of this content/],
    ['the signature is cut', SIGNED.replace(/("value": ".{40}).{48}/, '$1'), /\/signature\/value: must be 64 bytes in Base64/],
    ['the signature is spelled another way', SIGNED.replace(/[AQgw]==/, 'B=='), /\/signature\/value: must be 64 bytes in Base64/],
    ['the signature has more members', SIGNED.replace('"keyId"', '"alg": "none",\n    "keyId"'), /\/signature\/alg: unknown key/],
  ])('%s', async (_, text, message) => {
    expect((await faultsIn(text)).join('\n')).toMatch(message)
  })

  test('the signature covers the alias and the URL: nothing of a file is moved to another by changing its head', async () => {
    const elsewhere = upstreamAt('acme', 'https://other.test/mcp')
    const [here, there] = [SIGNED, lockText(lockOf(elsewhere), keyOf(ann))]
    expect(await faultsIn(there)).toEqual([])
    expect((await faultsIn(here.replace(signature(here), signature(there)))).join()).toMatch(/is not that of this content/)
    const empty = lockText({ ...lockOf(), items: [] }, keyOf(ann))
    expect(await faultsIn(empty)).toEqual([])
    expect((await faultsIn(empty.replace('acme.test', 'evil.test'))).join()).toMatch(/is not that of this content/)
    expect((await faultsIn(empty.replace('"acme"', '"evil"'))).join()).toMatch(/is not that of this content/)
  })
})

describe('editing a signed lock file', () => {
  test('signs what is written, under the name the signer has', async () => {
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: SIGNERS, key: keyOf(bob, SIGNERS) }, () => lockOf())
    expect((await loadLock(folder, 'acme', SIGNERS))?.signature?.keyId).toBe('bob-2026')
  })

  test('does not sign along what somebody slipped into it', async () => {
    const folder = await temporaryFolder()
    const slipped = lockText(lockOf(UPSTREAM, 'slipped'))
    await writeFile(lockPath(folder, 'acme'), slipped)
    const edit = editLock(folder, 'acme', { signers: SIGNERS, key: keyOf(ann) }, lock => lock ?? lockOf())
    await expect(edit).rejects.toThrow('is not signed')
  })

  test.each([
    ['without a key', undefined],
    ['with a key that is no signer’s', keyOf(eve)],
  ])('%s leaves the file as it was', async (_, key) => {
    const folder = await temporaryFolder()
    await editLock(folder, 'acme', { signers: SIGNERS, key: keyOf(ann) }, () => lockOf())
    const edit = editLock(folder, 'acme', { signers: SIGNERS, key }, () => lockOf(UPSTREAM, 'read'))
    await expect(edit).rejects.toBeInstanceOf(LockFileError)
    expect((await loadLock(folder, 'acme', SIGNERS))?.items.map(({ name }) => name)).toEqual(['send'])
  })
})

describe('a private key', () => {
  const ecKey = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
  const encrypted = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey

  test('has the name of its signer, or its thumbprint', () => {
    expect(keyOf(bob, SIGNERS).keyId).toBe('bob-2026')
    expect(keyOf(bob).keyId).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test.each([
    ['that is no signer’s', eve.privatePem, SIGNERS, 'is none of pins.signers'],
    ['that is a public one', ann.config.publicKey, [], 'it is a public key'],
    ['for another algorithm', ecKey, [], 'it is a key for ec; lock files are signed with Ed25519'],
    ['that is encrypted', encrypted, [], 'openssl pkey'],
    ['that is no PEM', 'hello', [], 'it is no private key in PEM'],
  ])('%s is refused in words', (_, text, signers, words) => {
    expect(() => parseSigningKey(text, signers)).toThrow(words)
  })
})
