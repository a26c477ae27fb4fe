import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/auth/address.ts'
import { fetchJson } from '../../src/auth/fetch-json.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts'
import { startTokenMint } from '../support/tokens.ts'

const PUBLIC_ONLY = { allowPrivateAddress: false, caFile: undefined }
const ANY_ADDRESS = { allowPrivateAddress: true, caFile: undefined }

describe('addresses', () => {
  test.each(['8.8.8.8', '100.63.255.255', '172.32.0.1', '223.255.255.255', '2606:4700:4700::1111', '2a00::1'])('%s is public', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::1',
    'localhost',
    '',
  ])('%s is not', address => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('key servers at private addresses are refused (A-75)', () => {
  test.each([
    'https://127.0.0.1/jwks',
    'https://127.1/jwks',
    'https://0x7f000001/jwks',
    'https://2130706433/jwks',
    'https://[::1]/jwks',
    'https://[::ffff:127.0.0.1]/jwks',
    'https://169.254.169.254/jwks',
    'https://10.0.0.1/jwks',
    'https://localhost/jwks',
    'http://127.0.0.1/jwks',
  ])('%s', async url => {
    await expect(fetchJson(url, PUBLIC_ONLY)).rejects.toThrow('issuers[].allowPrivateAddress')
  })

  test('a name is judged by what it resolves to', async () => {
    const mint = await startTokenMint()
    const url = mint.jwksUrl.replace('127.0.0.1', 'localhost')
    await expect(fetchJson(url, PUBLIC_ONLY)).rejects.toThrow('issuers[].allowPrivateAddress')
    await expect(fetchJson(url.replace('localhost', '127.0.0.1'), ANY_ADDRESS)).resolves.toEqual({ keys: mint.published })
    expect(mint.requests).toEqual(['/jwks'])
    await mint.close()
  })
})

test.each(['http://8.8.8.8/jwks', 'http://10.0.0.1/jwks'])('plain HTTP is for loopback only: %s', async url => {
  await expect(fetchJson(url, ANY_ADDRESS)).rejects.toThrow('use https')
  await expect(fetchJson(url, PUBLIC_ONLY)).rejects.toThrow('use https')
})

test.each(['ftp://example.com/x', 'file:///etc/passwd', 'data:application/json,{}'])('%s is not fetched', async url => {
  await expect(fetchJson(url, ANY_ADDRESS)).rejects.toThrow('not an https URL')
})

test.concurrent.each([
  ['redirect', 'HTTP status 302'],
  ['error', 'HTTP status 500'],
  ['huge', 'exceeded'],
  ['garbage', 'at 9'],
  ['silent', 'timeout'],
  ['stalled', 'timeout'],
] as const)('an answer that is %s is no document', async (mode, message) => {
  const mint = await startTokenMint()
  mint.jwks = mode
  await expect(fetchJson(mint.jwksUrl, ANY_ADDRESS)).rejects.toThrow(message)
  expect(mint.requests).toEqual(['/jwks'])
  await mint.close()
})

test('a certificate that nobody vouches for is refused, and accepted from the configured CA file', async () => {
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_, response) => response.end('{"keys":[]}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/jwks`
  const caFile = join(await mkdtemp(join(tmpdir(), 'wicketgate-')), 'ca.pem')
  await writeFile(caFile, CERTIFICATE)

  await expect(fetchJson(url, ANY_ADDRESS)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  await expect(fetchJson(url, { ...ANY_ADDRESS, caFile })).resolves.toEqual({ keys: [] })
  server.close()
})
