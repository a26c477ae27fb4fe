/** JSON as this gateway accepts, forwards and compares it. The only place that may call `JSON.parse`. */
export { foldedTwin, isNormalizable } from './json-fold.ts'
export { parseJson, parseJsonText } from './json-parse.ts'
export { compilePointer, pointerToken, pointerValue } from './json-pointer.ts'
export { canonicalJson, writeJson } from './json-text.ts'
export {
  ExactNumber,
  isJsonObject,
  type Json,
  type JsonDocument,
  JsonError,
  type JsonLimits,
  type JsonObject,
  type Span,
} from './json-value.ts'
