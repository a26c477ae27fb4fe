import { setImmediate as breathe } from 'node:timers/promises'
import type { PinSigner } from '../core/configuration.ts'
import {
  isJsonObject,
  type Json,
  type JsonDocument,
  JsonError,
  type JsonObject,
  type JsonPath,
  locateValues,
  parseJson,
} from '../core/json.ts'
import { isVariantName } from '../core/variant.ts'
import { visible } from './hidden-characters.ts'
import { identityOf, isPinKind, PIN_KINDS, type PinKind } from './kinds.ts'
import { type LockSignature, signatureProblem } from './lock-signature.ts'
import { pinOf } from './pin.ts'

/** One decision of a reviewer about one text of one item. */
export interface LockItem {
  readonly kind: PinKind
  /** A name, a URI or a URI template, by the kind; `server` for the server's own words. */
  readonly name: string
  /** `shared`, or the class of principals that is shown it. */
  readonly variant: string
  readonly state: 'approved' | 'rejected'
  readonly pin: string
  readonly by: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly reason: string
  readonly descriptor: JsonObject
}

/** All decisions about one upstream, as identified by our alias and the configured URL. */
export interface Lock {
  readonly alias: string
  readonly url: string
  /** Classes of principals, and `shared`, whose first contact is over without a decision: there was nothing, or nothing to be trusted. */
  readonly met: readonly string[]
  readonly items: readonly LockItem[]
  /** Of a file that was read: its signature, verified where signers are configured. */
  readonly signature?: LockSignature | undefined
}

interface LockFault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A lock file that cannot be trusted. `faults` holds every fault found. */
export class LockFileError extends Error {
  override readonly name = 'LockFileError'
  readonly faults: readonly LockFault[]
  constructor(faults: readonly LockFault[]) {
    super(faults.map(({ file, line, column, message }) => `${file}:${line}:${column}  ${message}`).join('\n'))
    this.faults = faults
  }
}

type Complain = (path: JsonPath, message: string) => void

/** A lock holds a thousand descriptors, each up to what one message may hold, two levels further down. */
const LIMITS = { maxDepth: 72, maxWork: 20_000_000 }

/** Whoever has to mend more begins anew. */
const MAX_FAULTS = 100
/** Of items, between one turn of the event loop and the next: some milliseconds. */
const CHARACTERS_PER_TURN = 262_144

/**
 * Reads a lock file, without holding up a gateway that runs. Throws LockFileError, also when a stored pin is not the digest of the
 * descriptor beside it, and, where there are signers, when none of them signed the file.
 */
export async function parseLock(bytes: Uint8Array, file: string, signers: readonly PinSigner[]): Promise<Lock> {
  const found: { path: JsonPath; message: string }[] = []
  const document = parseRoot(bytes, file)
  const lock = await readLock(document, signers, (path, message) => {
    if (found.length < MAX_FAULTS) found.push({ path, message })
  })
  if (found.length > 0) throw new LockFileError(locate(document.text, file, found))
  return lock
}

function parseRoot(bytes: Uint8Array, file: string): JsonDocument {
  try {
    return parseJson(bytes, LIMITS)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new LockFileError([{ file, ...placeOf(Buffer.from(bytes).toString('utf8'), error.offset), message: error.reason }])
  }
}

const ROOT_KEYS = ['version', 'upstream', 'url', 'met', 'items']
const ITEM_KEYS = ['kind', 'name', 'variant', 'state', 'pin', 'by', 'at', 'reason', 'descriptor']

async function readLock({ value: root, text }: JsonDocument, signers: readonly PinSigner[], complain: Complain): Promise<Lock> {
  const isSigned = isJsonObject(root) && root.version === 2
  const members = readObject(root, [], isSigned ? [...ROOT_KEYS, 'signature'] : ROOT_KEYS, complain)
  if (members.version !== 1 && !isSigned) complain(['version'], 'this release reads version 1, and version 2, which is signed')
  const alias = readText(members, 'upstream', [], complain)
  const url = readText(members, 'url', [], complain)
  const met = readMet(members.met, complain)
  const list = Array.isArray(members.items) ? (members.items as readonly Json[]) : []
  if (!Array.isArray(members.items)) complain(['items'], 'must be a list')
  const within = { alias, url, seen: new Set<string>(), complain }
  const items: LockItem[] = []
  let turn = CHARACTERS_PER_TURN
  for (const [index, item] of list.entries()) {
    if (turn >= CHARACTERS_PER_TURN) {
      await breathe()
      turn = 0
    }
    items.push(readItem(item, ['items', index], within))
    turn += text.length / list.length
  }
  if (!isSigned) {
    if (signers.length > 0) complain(['version'], `is not signed, which pins.signers asks for: ${HOW_TO_SIGN}`)
    return { alias, url, met, items }
  }
  const signature = readSignature(members.signature, complain)
  const { signature: _, ...content } = members
  const problem = signers.length > 0 && signature !== undefined ? signatureProblem(content, signature, signers) : undefined
  if (problem !== undefined) complain(['signature'], `${problem}; ${HOW_TO_SIGN}`)
  return { alias, url, met, items, signature }
}

const HOW_TO_SIGN = 'look at what changed in the file, then sign it with `wicketgate pins sign`'

/** Left out where there are none. */
function readMet(value: Json | undefined, complain: Complain): readonly string[] {
  if (value === undefined) return []
  const names = Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string' && isVariantName(name)) : []
  if (Array.isArray(value) && names.length === value.length && new Set(names).size === names.length) return names
  complain(['met'], 'must be a list of different names of classes, or "shared"')
  return []
}

/** 64 bytes in Base64, in their one spelling. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/

function readSignature(value: Json | undefined, complain: Complain): LockSignature | undefined {
  const path = ['signature']
  if (value === undefined || !isJsonObject(value)) {
    complain(['version'], 'needs a "signature", an object')
    return undefined
  }
  const members = readObject(value, path, ['keyId', 'value'], complain)
  const [keyId, base64] = [readText(members, 'keyId', path, complain), readText(members, 'value', path, complain)]
  if (SIGNATURE.test(base64)) return { keyId, value: base64 }
  complain([...path, 'value'], 'must be 64 bytes in Base64')
  return undefined
}

interface Within {
  readonly alias: string
  readonly url: string
  readonly seen: Set<string>
  readonly complain: Complain
}

function readItem(value: Json, path: JsonPath, { alias, url, seen, complain }: Within): LockItem {
  const members = readObject(value, path, ITEM_KEYS, complain)
  const text = (key: string) => readText(members, key, path, complain)
  const [said, name, variant, state, pin] = [text('kind'), text('name'), text('variant'), text('state'), text('pin')]
  const descriptor = isJsonObject(members.descriptor) ? members.descriptor : {}
  const kind = isPinKind(said) ? said : 'tool'
  if (kind !== said) complain([...path, 'kind'], `must be one of ${PIN_KINDS.join(', ')}`)
  if (!isVariantName(variant)) complain([...path, 'variant'], 'must be "shared" or the name of a class: 1 to 32 of a-z, 0-9 and "-"')
  if (state !== 'approved' && state !== 'rejected') complain([...path, 'state'], 'must be "approved" or "rejected"')
  if (identityOf(kind, descriptor) !== name) complain([...path, 'descriptor'], `must be the descriptor of the ${kind} it is listed under`)
  if (pin !== pinOf({ upstream: alias, endpoint: url, kind, name, variant, descriptor })) {
    complain(
      [...path, 'pin'],
      'is not the digest of the descriptor below it: the file was changed by hand; review it with `wicketgate pins`',
    )
  }
  const identity = state === 'approved' ? `approved ${variant} ${kind} ${name}` : `rejected ${variant} ${kind} ${pin} ${name}`
  if (seen.has(identity)) complain([...path, 'name'], 'is decided twice')
  seen.add(identity)
  return {
    kind,
    name,
    variant,
    state: state === 'approved' ? 'approved' : 'rejected',
    pin,
    by: text('by'),
    at: text('at'),
    reason: text('reason'),
    descriptor,
  }
}

function readObject(value: Json, path: JsonPath, keys: readonly string[], complain: Complain): JsonObject {
  if (!isJsonObject(value)) {
    complain(path, 'must be an object')
    return {}
  }
  for (const key of Object.keys(value)) if (!keys.includes(key)) complain([...path, key], 'unknown key')
  return value
}

function readText(members: JsonObject, key: string, path: JsonPath, complain: Complain): string {
  const value = members[key]
  if (typeof value === 'string') return value
  complain([...path, key], value === undefined ? `"${key}" is missing` : 'must be a text')
  return ''
}

function locate(text: string, file: string, found: readonly { path: JsonPath; message: string }[]): LockFault[] {
  // Each place with all that are around it: what is missing is looked for where it should be.
  const paths = found.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1)))
  const spans = locateValues(text, paths)
  let at = 0
  return found.map(({ path, message }) => {
    const own = spans.slice(at, at + path.length)
    at += path.length
    const [offset] = own.findLast(span => span !== undefined) ?? [0]
    return { file, ...placeOf(text, offset), message: path.length === 0 ? message : `/${visible(path.join('/'))}: ${message}` }
  })
}

function placeOf(text: string, offset: number): Pick<LockFault, 'line' | 'column'> {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}
