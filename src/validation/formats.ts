import type { Format } from 'ajv'
import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js'

/**
 * Formats that are asserted, as the SDKs' own validators do: those whose check is linear in the text and right for every legal
 * value. All others, `int64` and vendor names included, are annotations (JSON Schema 2020-12 validation §7.2). Left out on
 * purpose: `regex` compiles the caller's text, `url`, `uri-template` and `byte` refuse legal values or backtrack.
 */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ...(['date', 'time', 'date-time', 'duration', 'hostname', 'ipv4', 'ipv6', 'uuid', 'json-pointer'] as const).map(
    name => [name, fullFormats[name]] as const,
  ),
  // The exhaustive forms of these three backtrack and refuse some legal values.
  ...(['email', 'uri', 'uri-reference'] as const).map(name => [name, fastFormats[name]] as const),
])
