import { exportJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { parseKeySet } from '../../src/auth/key-set.ts'
import { type Json, parseJsonText } from '../../src/core/json.ts'
import { createMintKey, type MintKey, publicJwk } from '../support/tokens.ts'

const es = createMintKey('ES256', 'es')
const rsa = createMintKey('RS256', 'rsa')
const ed = createMintKey('EdDSA', 'ed')
const ALL = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

const jwk = (key: MintKey, changes: Record<string, unknown> = {}): Json =>
  parseJsonText(JSON.stringify({ ...publicJwk(key), ...changes })).value
const parse = (...keys: Json[]) => parseKeySet({ keys: keys }, ALL)

test('keys are found by algorithm and kid together', async () => {
  const keys = await parse(jwk(es), jwk(rsa), jwk(ed))
  expect(keys.size).toBe(3)
  expect(keys.find('ES256', 'es')?.algorithm.name).toBe('ECDSA')
  expect(keys.find('RS256', 'rsa')?.algorithm.name).toBe('RSASSA-PKCS1-v1_5')
  expect(keys.find('EdDSA', 'ed')?.algorithm.name).toBe('Ed25519')
  expect(keys.find('ES256', 'rsa')).toBeUndefined()
  expect(keys.find('PS256', 'rsa')).toBeUndefined()
})

test('a key without alg serves every configured algorithm of its type', async () => {
  const keys = await parse(jwk(rsa, { alg: undefined }))
  expect(keys.find('PS256', 'rsa')?.algorithm.name).toBe('RSA-PSS')
  expect(keys.find('RS256', 'rsa')?.algorithm.name).toBe('RSASSA-PKCS1-v1_5')
})

test('without kid only an only key is found', async () => {
  expect((await parse(jwk(es, { kid: undefined }))).find('ES256', undefined)).toBeDefined()
  expect((await parse(jwk(es), jwk(createMintKey('ES256', 'es2')))).find('ES256', undefined)).toBeUndefined()
})

test('the first of two keys with one kid counts', async () => {
  const keys = await parse(jwk(es, { kid: 'k' }), jwk(createMintKey('ES256', 'k')))
  const found = keys.find('ES256', 'k')
  expect(found && (await exportJWK(found)).x).toBe(publicJwk(es).x)
  expect(keys.size).toBe(2)
})

test('a private key in the set becomes a public key', async () => {
  const leaked = es.privateKey.export({ format: 'jwk' })
  const key = (await parse(jwk(es, leaked))).find('ES256', 'es')
  expect(key?.type).toBe('public')
})

describe('left out', () => {
  test.each<[string, Json]>([
    ['an encryption key', jwk(es, { use: 'enc' })],
    ['a key for another operation', jwk(es, { key_ops: ['sign'] })],
    ['a key for an algorithm that is not configured', jwk(es, { alg: 'ES384' })],
    ['a symmetric key', { kty: 'oct', k: 'AAAA', kid: 'oct', alg: 'HS256' }],
    ['an RSA key of 1024 bits', jwk(createMintKey('RS256', 'weak', 1024))],
    ['a point that is not on the curve', jwk(es, { x: 'AAAA' })],
    ['a key without its numbers', { kty: 'RSA', kid: 'x' }],
    ['a curve under another name', jwk(es, { crv: 'P-384' })],
    ['no object', 7],
  ])('%s, without harm to the others', async (_, unfit) => {
    expect((await parse(unfit, jwk(rsa))).size).toBe(1)
    await expect(parse(unfit)).rejects.toThrow('no key for the configured algorithms')
  })
})

test.each<[string, Json]>([
  ['a list', []],
  ['no keys', {}],
  ['keys that are no list', { keys: {} }],
  ['null', null],
  ['101 keys', { keys: Array.from({ length: 101 }, () => jwk(es)) }],
])('%s is no key set', async (_, document) => {
  await expect(parseKeySet(document, ALL)).rejects.toThrow('not a JSON Web Key Set')
})

test('an empty list is a key set without keys', async () => {
  expect((await parse()).size).toBe(0)
})
