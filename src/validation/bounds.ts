/** What one schema may hold (MCP 2026-07-28 basic §Composition-Keyword Resource Use). */
export const BOUNDS = {
  bytes: 65_536,
  depth: 32,
  subschemas: 2_000,
  properties: 256,
  branches: 64,
  /** Subschemas there would be if every `$ref` were replaced by what it names. */
  expansion: 10_000,
  patterns: 50,
  patternLength: 512,
  /** Of all patterns together, when every repetition is written out. */
  patternSize: 20_000,
  /** Of all values together, the schemas that judge one of them side by side. */
  judges: 20_000,
} as const
