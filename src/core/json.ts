/** JSON as this gateway accepts, forwards and compares it. The only place that may call `JSON.parse`. */
export { foldedKey, foldedTwin, isNormalizable } from './json-fold.ts'
export { compareDecimals, type DecimalText, parseDecimalText } from './json-number.ts'
export { parseJson, parseJsonText } from './json-parse.ts'
export { compilePointer, parsePointer, pointerToken, pointerValue } from './json-pointer.ts'
export { type JsonPath, locateValues } from './json-seek.ts'
export { editStrings } from './json-strings.ts'
export { canonicalJson, writeJson } from './json-text.ts'
export {
  ExactNumber,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonDocument,
  JsonError,
  type JsonObject,
  type Span,
} from './json-value.ts'
