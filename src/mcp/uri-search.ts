import { isJsonArray, isJsonObject, type Json, type JsonObject, type JsonPath } from '../core/json.ts'
import type { CallMethod } from '../core/model.ts'
import { foldKey, MAX_MEMBERS } from './envelope-keys.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { ownMember } from './own-member.ts'
import { exposedUri } from './resource-uri.ts'
import type { Edit } from './splice.ts'

/** Told of a scheme, in lower case and without its colon, and of all of the address. */
export type IsAllowedLink = (scheme: string, uri: string) => boolean

/** Not all that RFC 3986 asks: servers put spaces and letters of every script into their URIs, which does not make these lead elsewhere. */
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/

const WITHHELD = '{"type":"text","text":"A link was withheld here: addresses of its kind are not allowed."}'

/** Keys that decide what a block is, or where it leads: a reader without case would follow another spelling of one. */
const GUARDED: ReadonlySet<string> = new Set(['type', 'uri', 'resource', 'content', 'icons'])
/** Spares the usual keys the folding. */
const USUAL: ReadonlySet<string> = new Set([
  ...GUARDED,
  ...['_meta', 'annotations', 'blob', 'data', 'description', 'mimeType', 'name', 'role', 'size', 'text', 'title'],
])

const CONTENT: JsonPath = ['content']
const CONTENTS: JsonPath = ['contents']
const MESSAGES: JsonPath = ['messages']
const TASK_CONTENT: JsonPath = ['result', 'content']

/**
 * Looks where a result may hold URIs of resources, and notes what has to change. Reads values, not text: most results have nothing to
 * change, and those cost one look at each block.
 */
export class UriSearch {
  edits: Edit[] | undefined
  rewritten = 0
  withheld = 0
  readonly #prefix: string
  readonly #isAllowed: IsAllowedLink

  constructor(prefix: string, isAllowed: IsAllowedLink) {
    this.#prefix = prefix
    this.#isAllowed = isAllowed
  }

  inResult(result: JsonObject, method: CallMethod | 'input_required'): void {
    if (method === 'tools/call') this.#content(ownMember(result, 'content'), CONTENT)
    else if (method === 'prompts/get') this.#messages(ownMember(result, 'messages'), MESSAGES)
    else if (method === 'resources/read') this.#contents(ownMember(result, 'contents'))
    else if (method === 'tasks/get' || method === 'input_required') {
      const own = ownMember(result, 'result')
      if (isJsonObject(own)) this.#content(ownMember(own, 'content'), TASK_CONTENT)
      this.#questions(ownMember(result, 'inputRequests'))
    }
  }

  /** What is no object among a tool's blocks holds no link; that it does not belong there is said with the rest of the result's form. */
  #content(blocks: Json | undefined, path: JsonPath): void {
    if (!isJsonArray(blocks)) return
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]
      if (isJsonObject(block)) this.#block(block, path, index)
    }
  }

  /** Of a prompt, or of a request to sample, where a message may have several blocks. */
  #messages(messages: Json | undefined, path: JsonPath): void {
    if (!isJsonArray(messages)) return
    for (let index = 0; index < messages.length; index++) {
      const message = objectOf(messages[index])
      const content = ownMember(message, 'content')
      if (isJsonArray(content)) this.#content(content, [...path, index, 'content'])
      else this.#block(objectOf(content), [...path, index], 'content')
    }
  }

  #contents(contents: Json | undefined): void {
    if (!isJsonArray(contents)) return
    for (let index = 0; index < contents.length; index++) {
      const uri = uriOf(objectOf(contents[index]))
      if (this.#prefix !== '') this.#rewrite(uri, [...CONTENTS, index, 'uri'])
    }
  }

  #questions(questions: Json | undefined): void {
    if (!isJsonObject(questions)) return
    for (const key of Object.keys(questions)) {
      const question = objectOf(questions[key])
      const params = ownMember(question, 'params')
      if (ownMember(question, 'method') !== 'sampling/createMessage' || !isJsonObject(params)) continue
      this.#messages(ownMember(params, 'messages'), ['inputRequests', key, 'params', 'messages'])
    }
  }

  #block(block: JsonObject, path: JsonPath, key: string | number): void {
    checkSpelling(block)
    switch (ownMember(block, 'type')) {
      case 'resource_link': {
        const uri = uriOf(block)
        if (!this.#isAllowed(schemeOf(uri), uri)) this.#withhold([...path, key], WITHHELD)
        else {
          if (this.#prefix !== '') this.#rewrite(uri, [...path, key, 'uri'])
          if (!this.#areAllowedIcons(ownMember(block, 'icons'))) this.#withhold([...path, key, 'icons'], '[]')
        }
        return
      }
      case 'resource': {
        const uri = uriOf(objectOf(ownMember(block, 'resource')))
        if (this.#prefix !== '') this.#rewrite(uri, [...path, key, 'resource', 'uri'])
        return
      }
      // In a request to sample: what a tool gave before.
      case 'tool_result': {
        const content = ownMember(block, 'content')
        // A list, says the schema; whoever takes a single block too would follow a link that nobody had looked at.
        if (isJsonObject(content)) this.#block(content, [...path, key], 'content')
        else this.#content(content, [...path, key, 'content'])
      }
    }
  }

  #rewrite(uri: string, path: JsonPath): void {
    this.rewritten++
    this.#edit(path, JSON.stringify(exposedUri(this.#prefix, uri)))
  }

  /**
   * Nobody follows an icon, and clients ask for it all the same: its address can tell a host what was said here (MCP 2026-07-28 basic
   * §icons: no other schemes than these).
   */
  #areAllowedIcons(icons: Json | undefined): boolean {
    return icons === undefined || (isJsonArray(icons) && icons.every(icon => isJsonObject(icon) && this.#isAllowedIcon(icon)))
  }

  #isAllowedIcon(icon: JsonObject): boolean {
    const src = ownMember(icon, 'src')
    if (typeof src !== 'string' || Object.keys(icon).some(key => key !== 'src' && foldKey(key) === 'src')) return false
    return /^data:image\//i.test(src) || (/^https?:/i.test(src) && this.#isAllowed(schemeOf(src), src))
  }

  #withhold(path: JsonPath, value: string): void {
    this.withheld++
    this.#edit(path, value)
  }

  #edit(path: JsonPath, value: string): void {
    this.edits ??= []
    this.edits.push({ path, value })
  }
}

function objectOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw invalidAnswer('uri')
  checkSpelling(value)
  return value
}

function uriOf(object: JsonObject): string {
  const uri = ownMember(object, 'uri')
  if (typeof uri !== 'string' || !SCHEME.test(uri)) throw invalidAnswer('uri')
  return uri
}

function schemeOf(uri: string): string {
  return SCHEME.exec(uri)?.[1]?.toLowerCase() ?? ''
}

function checkSpelling(object: JsonObject): void {
  const keys = Object.keys(object)
  if (keys.length > MAX_MEMBERS) throw invalidAnswer('lookalike_key')
  for (const key of keys) {
    if (!USUAL.has(key) && GUARDED.has(foldKey(key))) throw invalidAnswer('lookalike_key')
  }
}
