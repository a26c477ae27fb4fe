import { readFileSync } from 'node:fs'
import { FIELDS } from '../../src/audit/fields.ts'
import { createMemorySink, type MemorySink } from '../../src/audit/index.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '../../src/core/json.ts'

/** One record as a reader of the trail sees it; members are looked at by name. */
export type TrailRecord = JsonObject

/** Each line must be one JSON object for the strict parser: duplicate members and control characters are faults. */
export function parseTrail(lines: readonly string[]): TrailRecord[] {
  return lines.map(line => {
    if (line.includes('\n')) throw new Error(`a record spans lines: ${line}`)
    const { value } = parseJsonText(line)
    if (!isJsonObject(value)) throw new Error(`not an object: ${line}`)
    return value
  })
}

/** Every record of a JSONL file. */
export function readTrail(path: string): TrailRecord[] {
  return parseTrail(readFileSync(path, 'utf8').split('\n').filter(Boolean))
}

export interface MemoryTrail {
  /** Give this to `createAudit`. */
  readonly sink: MemorySink
  records(): TrailRecord[]
  requests(): TrailRecord[]
  intents(): TrailRecord[]
  /** The last request's record; throws when there is none. */
  last(): TrailRecord
}

export function createMemoryTrail(): MemoryTrail {
  const sink = createMemorySink()
  const records = (): TrailRecord[] => parseTrail(sink.lines)
  const ofKind = (kind: string) => records().filter(record => record.kind === kind)
  return {
    sink,
    records,
    requests: () => ofKind('request'),
    intents: () => ofKind('intent'),
    last() {
      const record = ofKind('request').at(-1)
      if (record === undefined) throw new Error('no request was recorded')
      return record
    },
  }
}

/** Everything in which a record departs from the table of fields; empty for a good one. */
export function faultsOf(record: TrailRecord): string[] {
  const faults: string[] = []
  for (const [name, value] of Object.entries(record)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined
    if (field === undefined) faults.push(`${name}: unknown field`)
    else if (!(field.kinds as readonly unknown[]).includes(record.kind)) faults.push(`${name}: not in kind ${record.kind}`)
    else if (!hasType(value, field.type)) faults.push(`${name}: not of type ${field.type}`)
  }
  for (const [name, field] of Object.entries(FIELDS)) {
    const isAlways = 'always' in field && (field.kinds as readonly unknown[]).includes(record.kind)
    if (isAlways && !(name in record)) faults.push(`${name}: missing`)
  }
  return faults
}

function hasType(value: Json, type: string): boolean {
  if (type === 'map') return isJsonObject(value)
  if (type === 'id') return typeof value === 'string' || Number.isSafeInteger(value)
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
}
