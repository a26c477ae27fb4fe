import { type Alias, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar } from 'yaml'
import type { Fault, FaultCode } from './faults.ts'
import { formatPointer, valueAt } from './pointer.ts'
import { type Environment, interpolate } from './variables.ts'

export const MAX_FILE_BYTES = 1_048_576
const MAX_ALIASES = 16
const MAX_NODES = 50_000
const MAX_DEPTH = 32

export type Path = readonly PropertyKey[]

interface Place {
  readonly keyOffset: number | undefined
  readonly offset: number
  readonly scalar: Scalar | undefined
  readonly filled: boolean
}

/** One YAML file as plain values, with the way back from each value to its line and column. Collects the file's faults. */
export class SourceDocument {
  readonly file: string
  readonly faults: Fault[] = []
  value: unknown
  /** The text is not YAML we read: nothing more can be said of its contents. */
  broken = false
  private readonly text: string
  private readonly lines = new LineCounter()
  private readonly places = new Map<string, Place>()
  private readonly environment: Environment
  private readonly leave: (path: Path) => boolean
  /** Values that have a fault of their own already and are missing from `value`. */
  private readonly unread = new Set<string>()
  private aliases = 0
  private nodes = 0

  /** `leave`: scalars that keep their `${…}` unread, where the reader has no use for the secret. */
  constructor(file: string, text: string, environment: Environment, leave: (path: Path) => boolean = () => false) {
    this.file = file
    this.text = text
    this.environment = environment
    this.leave = leave
    this.value = this.parse()
  }

  fault(path: Path, message: string, code: FaultCode, at: 'key' | 'value' = 'value'): void {
    this.faults.push({ file: this.file, ...this.place(path, at), message, code })
  }

  /** A fault inside the scalar at `path`, `index` characters from its beginning. */
  faultInside(path: Path, index: number, message: string, code: FaultCode): void {
    const place = this.places.get(formatPointer(path))
    const value = place?.scalar?.value
    const start = typeof value === 'string' && place?.filled === false ? this.text.indexOf(value, place?.offset) : -1
    const end = place?.scalar?.range?.[1] ?? 0
    if (typeof value === 'string' && value !== '' && start >= 0 && start + value.length <= end)
      this.faultAt(start + Math.min(index, value.length), message, code)
    else this.fault(path, `${message} (character ${index + 1} of this text)`, code)
  }

  has(path: Path): boolean {
    return this.places.has(formatPointer(path))
  }

  /** The keys of the map at `path`, whatever else may be wrong with it. */
  keys(path: Path): readonly string[] | undefined {
    const map = this.get(path)
    return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.keys(map) : undefined
  }

  /** The paths of the entries of the list at `path`. */
  items(path: Path): readonly Path[] {
    const list = this.get(path)
    return Array.isArray(list) ? list.map((_, index) => [...path, index]) : []
  }

  /** The value at `path` as the file has it. */
  get(path: Path): unknown {
    return valueAt(this.value, path)
  }

  /** The value at `path` could not be read, and the reason is a fault already. */
  isUnread(path: Path): boolean {
    return this.unread.has(formatPointer(path))
  }

  /** Something at or below `path` could not be read. */
  hasUnread(path: Path): boolean {
    const pointer = formatPointer(path)
    return this.unread.values().some(each => each === pointer || each.startsWith(`${pointer}/`))
  }

  /** False where `${…}` put something in, which no message may show. */
  isShowable(path: Path): boolean {
    return this.places.get(formatPointer(path))?.filled !== true
  }

  /** The scalar as the file spells it, quoted: `"${NAME}"` stays `"${NAME}"`. */
  quote(path: Path): string {
    return `"${String(this.places.get(formatPointer(path))?.scalar?.source ?? '').slice(0, 80)}"`
  }

  /** Where a value stands, or its key; both count from 1. */
  place(path: Path, at: 'key' | 'value' = 'value'): { readonly line: number; readonly column: number } {
    const place = this.nearest(path)
    return this.placeAt((at === 'key' ? place?.keyOffset : undefined) ?? place?.offset ?? 0)
  }

  private nearest(path: Path): Place | undefined {
    for (let length = path.length; length >= 0; length--) {
      const place = this.places.get(formatPointer(path.slice(0, length)))
      if (place !== undefined) return place
    }
    return undefined
  }

  private faultAt(offset: number, message: string, code: FaultCode): undefined {
    this.faults.push({ file: this.file, ...this.placeAt(offset), message, code })
  }

  private placeAt(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }

  private leaveOut(path: Path, offset: number, message: string, code: FaultCode): undefined {
    this.unread.add(formatPointer(path))
    this.faultAt(offset, message, code)
  }

  private breakOff(message: string, code: FaultCode): undefined {
    this.broken = true
    this.faultAt(0, message, code)
  }

  private parse(): unknown {
    if (Buffer.byteLength(this.text) > MAX_FILE_BYTES) return this.breakOff(`the file is larger than ${MAX_FILE_BYTES} bytes`, 'file')
    try {
      const document = parseDocument(this.text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        // Asked here: the library compares each key with all before it, and forty thousand of them take it half a minute.
        uniqueKeys: false,
        stringKeys: true,
        strict: true,
        prettyErrors: false,
        lineCounter: this.lines,
        logLevel: 'error',
      })
      const errors = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0])
      const firstBreak = errors.findIndex(error => !WELL_FORMED.has(error.code))
      // What a parser makes of the text behind its first syntax error is a guess, and so is every fault in it.
      for (const error of firstBreak < 0 ? errors : errors.slice(0, firstBreak + 1))
        this.faultAt(error.pos[0], yamlMessage(error.code, error.message), 'yaml')
      this.broken = errors.length > 0
      if (firstBreak >= 0) return undefined
      if (document.directives?.yaml.explicit && document.directives.yaml.version !== '1.2') this.faultAt(0, 'only YAML 1.2 is read', 'yaml')
      if (document.contents === null) return this.breakOff('the file is empty', 'file')
      return this.read(document.contents, [], undefined, [], node => node.resolve(document))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return this.breakOff('the file is nested too deeply', 'yaml')
    }
  }

  private read(
    node: unknown,
    path: Path,
    keyOffset: number | undefined,
    open: readonly Node[],
    follow: (alias: Alias) => Node | undefined,
  ): unknown {
    const offset = (node as Partial<Node> | null)?.range?.[0] ?? keyOffset ?? 0
    if (path.length > MAX_DEPTH || ++this.nodes > MAX_NODES) {
      if (this.nodes <= MAX_NODES + 1) this.faultAt(offset, `more than ${MAX_NODES} values, or nested deeper than ${MAX_DEPTH}`, 'yaml')
      return undefined
    }
    if (isAlias(node)) return this.readAlias(node, path, keyOffset, offset, open, follow)
    const pointer = formatPointer(path)
    this.places.set(pointer, { keyOffset, offset, scalar: isScalar(node) ? node : undefined, filled: false })
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.tag !== undefined) this.faultAt(offset, 'tags are not read here', 'yaml')
    if (isMap(node)) {
      const result: Record<string, unknown> = {}
      const keys = new Set<string>()
      for (const pair of node.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : ''
        const at = isScalar(pair.key) ? pair.key.range?.[0] : offset
        if (keys.has(key)) this.faultAt(at ?? offset, 'this key appears twice', 'yaml')
        keys.add(key)
        if (key === '<<') this.leaveOut(path, at ?? offset, 'merge keys ("<<") are not read here', 'yaml')
        else if (key === '__proto__') this.faultAt(at ?? offset, 'this key is not allowed', 'yaml')
        else result[key] = this.read(pair.value ?? new Scalar(null), [...path, key], at, [...open, node], follow)
      }
      return result
    }
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, [...path, index], undefined, [...open, node], follow))
    return isScalar(node) ? this.readScalar(node, path, pointer, keyOffset, offset) : undefined
  }

  private readAlias(
    node: Alias.Parsed | Alias,
    path: Path,
    keyOffset: number | undefined,
    offset: number,
    open: readonly Node[],
    follow: (alias: Alias) => Node | undefined,
  ): unknown {
    const target = follow(node)
    if (++this.aliases > MAX_ALIASES) return this.leaveOut(path, offset, `more than ${MAX_ALIASES} aliases`, 'yaml')
    if (target === undefined || open.includes(target)) return this.leaveOut(path, offset, 'this alias has no anchor before it', 'yaml')
    return this.read(target, path, keyOffset, open, follow)
  }

  private readScalar(node: Scalar, path: Path, pointer: string, keyOffset: number | undefined, offset: number): unknown {
    const value = node.value
    if (typeof value === 'number' && !isExact(value, node.source)) {
      const message = Number.isFinite(value)
        ? 'this number cannot be held exactly; write it with fewer digits, or as a quoted string'
        : 'this is not a number'
      return this.leaveOut(path, offset, message, 'value')
    }
    if (typeof value !== 'string' || this.leave(path)) return value
    const { text, filled, problems } = interpolate(value, this.environment)
    for (const problem of problems) this.leaveOut(path, offset, problem, 'variable')
    if (filled) this.places.set(pointer, { keyOffset, offset, scalar: node, filled })
    return problems.length > 0 ? undefined : text
  }
}

/** Errors about text that is YAML all the same. */
const WELL_FORMED: ReadonlySet<string> = new Set(['MULTIPLE_DOCS', 'NON_STRING_KEY', 'TAG_RESOLVE_FAILED'])

function isExact(value: number, source: string | undefined): boolean {
  if (!Number.isFinite(value)) return false
  return Number.isInteger(value) ? Number.isSafeInteger(value) : (source?.replace(/[^0-9]/g, '').length ?? 0) <= 17
}

function yamlMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a policy file holds one YAML document'
  if (code === 'NON_STRING_KEY') return 'a key must be a plain string'
  return message
}
