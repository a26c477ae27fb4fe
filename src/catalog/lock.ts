import { LineCounter, parseDocument } from 'yaml'
import type { PinSigner } from '../core/configuration.ts'
import { isJsonObject, type Json, JsonError, type JsonObject, parseJson } from '../core/json.ts'
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

type Path = readonly (string | number)[]
type Complain = (path: Path, message: string) => void

/** A lock holds a thousand descriptors, each up to what one message may hold, two levels further down. */
const LIMITS = { maxDepth: 72, maxWork: 20_000_000 }

/**
 * Reads a lock file. Throws LockFileError, also when a stored pin is not the digest of the descriptor beside it, and, where there are
 * signers, when none of them signed the file.
 */
export function parseLock(bytes: Uint8Array, file: string, signers: readonly PinSigner[]): Lock {
  const found: { path: Path; message: string }[] = []
  const lock = readLock(parseRoot(bytes, file), signers, (path, message) => found.push({ path, message }))
  if (found.length > 0) throw new LockFileError(locate(Buffer.from(bytes).toString('utf8'), file, found))
  return lock
}

function parseRoot(bytes: Uint8Array, file: string): Json {
  try {
    return parseJson(bytes, LIMITS).value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const before = Buffer.from(bytes).toString('utf8').slice(0, error.offset).split('\n')
    throw new LockFileError([{ file, line: before.length, column: (before.at(-1) ?? '').length + 1, message: error.reason }])
  }
}

const ROOT_KEYS = ['version', 'upstream', 'url', 'met', 'items']
const ITEM_KEYS = ['kind', 'name', 'variant', 'state', 'pin', 'by', 'at', 'reason', 'descriptor']

function readLock(root: Json, signers: readonly PinSigner[], complain: Complain): Lock {
  const isSigned = isJsonObject(root) && root.version === 2
  const members = readObject(root, [], isSigned ? [...ROOT_KEYS, 'signature'] : ROOT_KEYS, complain)
  if (members.version !== 1 && !isSigned) complain(['version'], 'this release reads version 1, and version 2, which is signed')
  const alias = readText(members, 'upstream', [], complain)
  const url = readText(members, 'url', [], complain)
  const met = readMet(members.met, complain)
  const list = Array.isArray(members.items) ? (members.items as readonly Json[]) : []
  if (!Array.isArray(members.items)) complain(['items'], 'must be a list')
  const seen = new Set<string>()
  const items = list.map((item, index) => readItem(item, ['items', index], { alias, url, seen, complain }))
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

function readItem(value: Json, path: Path, { alias, url, seen, complain }: Within): LockItem {
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

function readObject(value: Json, path: Path, keys: readonly string[], complain: Complain): JsonObject {
  if (!isJsonObject(value)) {
    complain(path, 'must be an object')
    return {}
  }
  for (const key of Object.keys(value)) if (!keys.includes(key)) complain([...path, key], 'unknown key')
  return value
}

function readText(members: JsonObject, key: string, path: Path, complain: Complain): string {
  const value = members[key]
  if (typeof value === 'string') return value
  complain([...path, key], value === undefined ? `"${key}" is missing` : 'must be a text')
  return ''
}

/** JSON is YAML 1.2, and the YAML parser knows where each node stands; read again only when there is something to say. */
function locate(text: string, file: string, found: readonly { path: Path; message: string }[]): LockFault[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  return found.map(({ path, message }) => {
    let length = path.length
    while (length > 0 && !document.hasIn(path.slice(0, length))) length -= 1
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    const offset = (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col, message: path.length === 0 ? message : `/${visible(path.join('/'))}: ${message}` }
  })
}
