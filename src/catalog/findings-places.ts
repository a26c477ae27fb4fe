import { isJsonArray, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'

/** One text of a descriptor and where it stands. */
export interface Place {
  readonly text: string
  readonly pointer: string
  /** The nearest member name: `description`, `default`; array positions are skipped. `undefined` where the text is such a name. */
  readonly member: string | undefined
}

export interface Places {
  /** In the order of the descriptor, long ones in pieces that overlap. */
  readonly texts: readonly Place[]
  /** Name and description of each argument that travels in a header. */
  readonly headers: readonly Place[]
  /** False where the descriptor has more text than is scanned. */
  readonly isWhole: boolean
}

/** Characters of one descriptor that are scanned; a schema has 65,536 at most. */
const MAX_CHARACTERS = 262_144
/** What is scanned at a stretch; takes a few milliseconds. */
const PIECE = 16_384
const OVERLAP = 512

/** The address of an icon, which is for those who show it and may be the picture itself. */
export function isIcon(pointer: string, member: string | undefined): boolean {
  return member === 'src' && pointer.startsWith('/icons/')
}

const LONGEST_HEAD = 64

/** A picture says nothing in words. What only begins like one is text. */
function withoutPicture(address: string): string {
  const data = address.indexOf(',') + 1
  const head = address.slice(0, data)
  const isPicture = data <= LONGEST_HEAD && head.startsWith('data:image/') && head.endsWith(';base64,')
  return isPicture && !/[^A-Za-z0-9+/=]/.test(address.slice(data)) ? head : address
}

/** Every text of a descriptor, member names too. */
export function placesIn(descriptor: JsonObject): Places {
  const texts: Place[] = []
  const headers: Place[] = []
  let left = MAX_CHARACTERS

  function add(whole: string, pointer: string, member: string | undefined): void {
    const said = isIcon(pointer, member) ? withoutPicture(whole) : whole
    const text = said.slice(0, Math.max(0, left))
    left -= said.length
    for (let start = 0; start < text.length; start += PIECE - OVERLAP) {
      texts.push({ text: text.slice(start, start + PIECE), pointer, member })
      if (start + PIECE >= text.length) break
    }
  }

  function visit(value: Json, pointer: string, member: string): void {
    if (typeof value === 'string') add(value, pointer, member)
    else if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, `${pointer}/${index}`, member)
    else if (isJsonObject(value)) visitObject(value, pointer, member)
  }

  function visitObject(value: JsonObject, pointer: string, member: string): void {
    if (value['x-mcp-header'] !== undefined) {
      const description = typeof value.description === 'string' ? value.description.slice(0, OVERLAP) : ''
      headers.push({ text: `${member} ${description}`, pointer, member })
    }
    const declared = value.properties !== undefined && isJsonObject(value.properties) ? value.properties : undefined
    for (const [key, item] of Object.entries(value)) {
      const inner = `${pointer}/${pointerToken(key)}`
      add(key, inner, undefined)
      if (key === 'required' && declared !== undefined && isJsonArray(item)) visitRequired(item, declared, inner)
      else visit(item, inner, key)
    }
  }

  /** A name that is read where it is declared need not be read again. */
  function visitRequired(names: readonly Json[], declared: JsonObject, pointer: string): void {
    for (const [index, name] of names.entries()) {
      if (typeof name !== 'string' || !Object.hasOwn(declared, name)) visit(name, `${pointer}/${index}`, 'required')
    }
  }

  visit(descriptor, '', '')
  return { texts, headers, isWhole: left >= 0 }
}
