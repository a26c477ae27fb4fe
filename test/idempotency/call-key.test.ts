import { describe, expect, it } from 'vitest'
import type { IdempotencyPolicy } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { findCallKey } from '../../src/idempotency/call-key.ts'
import { admitted, type CallSetting } from './room.ts'

const find = (setting: CallSetting) => findCallKey(admitted(setting).checked)
const codeOf = (setting: CallSetting): string => {
  try {
    find(setting)
  } catch (error) {
    if (error instanceof Refusal) return error.code
  }
  return 'no refusal'
}
const argument = (pointer: string): Partial<IdempotencyPolicy> => ({ key: { argument: pointer } })

describe('a key', () => {
  it.each<[where: string, setting: CallSetting, text: string, carrier: string]>([
    ['a bare header', { key: 'abc-1' }, 'abc-1', 'caller'],
    ['a quoted header', { key: '"abc-1"' }, 'abc-1', 'caller'],
    ['a quoted header with escapes and spaces', { key: '"a \\"b\\" \\\\c"' }, 'a "b" \\c', 'caller'],
    ['the longest header', { key: 'k'.repeat(255) }, 'k'.repeat(255), 'caller'],
    ['_meta', { meta: { idempotencyKey: 'abc-1' } }, 'abc-1', 'caller'],
    ['header and _meta that agree', { key: '"abc-1"', meta: { idempotencyKey: 'abc-1' } }, 'abc-1', 'caller'],
    ['an argument', { idempotency: argument('/request_id'), arguments: { request_id: 'r1' } }, 'r1', 'argument'],
    ['a nested argument', { idempotency: argument('/a~1b/0'), arguments: { 'a/b': ['r1'] } }, 'r1', 'argument'],
    ['a numeric argument', { idempotency: argument('/n'), arguments: { n: 17 } }, '17', 'argument'],
    ['argument and header that agree', { idempotency: argument('/n'), arguments: { n: 'k' }, key: 'k' }, 'k', 'argument'],
    ['a header where the argument is absent', { idempotency: argument('/n'), key: 'k' }, 'k', 'caller'],
    ['the arguments themselves', { idempotency: { key: 'derived' }, arguments: { b: 1, a: 2 } }, '{"a":2,"b":1}', 'derived'],
    ['the arguments, whatever key a model minted', { idempotency: { key: 'derived' }, arguments: {}, key: 'minted' }, '{}', 'derived'],
    ['a header for an effect without policy', { idempotency: undefined, key: 'k' }, 'k', 'caller'],
  ])('is found in %s', (_where, setting, text, carrier) => {
    expect(find(setting)).toMatchObject({ text, carrier })
  })

  it('keeps every digit of a number no double holds', () => {
    const value = parseJsonText('{"n":9007199254740993}').value
    expect(find({ idempotency: argument('/n'), arguments: value as CallSetting['arguments'] & object })?.text).toBe('9007199254740993')
  })

  it.each<[what: string, setting: CallSetting]>([
    ['no key at all', {}],
    ['an absent argument', { idempotency: argument('/n') }],
    ['a null argument', { idempotency: argument('/n'), arguments: { n: null } }],
    ['a key for a read without policy', { effect: 'read', idempotency: undefined, key: 'k' }],
    ['a malformed key for a read without policy', { effect: 'read', idempotency: undefined, key: ['a', 'b'] }],
  ])('is not there with %s', (_what, setting) => {
    expect(find(setting)).toBeUndefined()
  })

  it.each<[what: string, setting: CallSetting]>([
    ['two headers', { key: ['a', 'a'] }],
    ['an empty header', { key: '' }],
    ['an empty quoted header', { key: '""' }],
    ['a header of 256 characters', { key: 'k'.repeat(256) }],
    ['a header with a space', { key: 'a b' }],
    ['a header that is not ASCII', { key: 'clé' }],
    ['an open quote', { key: '"abc' }],
    ['a stray quote', { key: '"a"b"' }],
    ['a bad escape', { key: '"a\\b"' }],
    ['parameters', { key: '"a";v=1' }],
    ['a control character', { key: '"a\tb"' }],
    ['_meta of another type', { meta: { idempotencyKey: 17 } }],
    ['_meta null', { meta: { idempotencyKey: null } }],
    ['an empty _meta', { meta: { idempotencyKey: '' } }],
    ['header and _meta that differ', { key: 'a', meta: { idempotencyKey: 'b' } }],
    ['argument and header that differ', { idempotency: argument('/n'), arguments: { n: 'a' }, key: 'b' }],
    ['an argument that is an object', { idempotency: argument('/n'), arguments: { n: {} } }],
    ['an argument that is true', { idempotency: argument('/n'), arguments: { n: true } }],
    ['an empty argument', { idempotency: argument('/n'), arguments: { n: '' } }],
    ['a malformed header for an effect without policy', { idempotency: undefined, key: ['a', 'b'] }],
  ])('is refused with %s', (_what, setting) => {
    expect(codeOf(setting)).toBe('IDEMPOTENCY_KEY_INVALID')
  })

  it('is required where policy says so', () => {
    expect(codeOf({ idempotency: { required: true } })).toBe('IDEMPOTENCY_KEY_REQUIRED')
    expect(codeOf({ idempotency: { required: true }, key: 'k' })).toBe('no refusal')
    expect(codeOf({ idempotency: { ...argument('/n'), required: true } })).toBe('IDEMPOTENCY_KEY_REQUIRED')
  })
})
