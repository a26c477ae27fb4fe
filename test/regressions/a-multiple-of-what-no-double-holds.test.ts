/**
 * Found by fuzzing (seed 2026002): a `multipleOf` that no double holds was judged by the nearest one that does, wherever that one is a
 * whole number, so 3044700044303600 passed for a multiple of 3044700044303600.1.
 */
import { expect, it } from 'vitest'
import { isJsonObject, parseJsonText } from '../../src/core/json.ts'
import { explainArguments } from '../../src/validation/index.ts'

const fits = (multipleOf: string, value: string): boolean => {
  const schema = `{"name":"t","inputSchema":{"type":"object","properties":{"n":{"multipleOf":${multipleOf}}}}}`
  const [descriptor, args] = [parseJsonText(schema).value, parseJsonText(`{"n":${value}}`).value]
  if (!isJsonObject(descriptor) || !isJsonObject(args)) throw new TypeError('not objects')
  return explainArguments(descriptor, args) === undefined
}

it.each([
  ['3044700044303600.1', '3044700044303600.0', false],
  ['3044700044303600.1', '3044700044303600.1', true],
  ['3044700044303600.1', '6089400088607200.2', true],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '18014398509481986', true],
  ['3', '9007199254740991', false],
  ['0.01', '19.99', true],
])('multiples of %s: %s is %s', (multipleOf, value, expected) => {
  expect(fits(multipleOf, value)).toBe(expected)
})
