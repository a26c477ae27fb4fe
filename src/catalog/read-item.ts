import { isJsonArray, isJsonObject, type JsonObject } from '../core/json.ts'
import type { ItemKind, ParamHeader } from '../core/model.ts'
import { createTemplateMatcher, isUri, ParamHeaderError, parseParamHeaders } from '../mcp/index.ts'
import type { Face } from './face.ts'
import { forwardedOf } from './forwarded.ts'
import { visibleName } from './hidden-characters.ts'
import { identityMember, identityOf, type PinKind } from './kinds.ts'
import { pinOf } from './pin.ts'

/** One item as its upstream shows it, fit to be offered once somebody approves it. */
export interface SeenItem {
  readonly kind: PinKind
  readonly name: string
  readonly variant: string
  readonly pin: string
  readonly descriptor: JsonObject
  /** Of a tool; empty for everything else. */
  readonly paramHeaders: readonly ParamHeader[]
}

/** Why one item cannot be offered, in words of ours. */
export class Unusable extends Error {}

const MAX_NAME_LENGTH = 256
/** Callers send it in a header as well, and headers are limited. */
const MAX_URI_LENGTH = 4_096

export const MAX_IDENTITY_LENGTHS: Readonly<Record<ItemKind, number>> = {
  tool: MAX_NAME_LENGTH,
  prompt: MAX_NAME_LENGTH,
  resource: MAX_URI_LENGTH,
  resourceTemplate: MAX_URI_LENGTH,
}

/** Throws Unusable. `name` is what the item calls itself. */
export function readItem(kind: ItemKind, name: string, item: JsonObject, upstream: Face): SeenItem {
  const descriptor = forwardedOf(item, upstream.dropPointers)
  if (identityOf(kind, descriptor) !== name) throw new Unusable(`its ${identityMember(kind)} is dropped by policy`)
  return sealItem(upstream, kind, name, descriptor, READERS[kind](descriptor, upstream))
}

/** An item under its pin. */
export function sealItem(
  { alias, url, variant }: Pick<Face, 'alias' | 'url' | 'variant'>,
  kind: PinKind,
  name: string,
  descriptor: JsonObject,
  paramHeaders: readonly ParamHeader[] = [],
): SeenItem {
  const pin = pinOf({ upstream: alias, endpoint: url, kind, name, variant, descriptor })
  return { kind, name, variant, pin, descriptor, paramHeaders }
}

type Reader = (descriptor: JsonObject, upstream: Face) => readonly ParamHeader[]

const READERS: Readonly<Record<ItemKind, Reader>> = {
  tool: readTool,
  prompt: readPrompt,
  resource: readResource,
  resourceTemplate: readTemplate,
}

function readTool({ inputSchema }: JsonObject, { xMcpHeaderAllowNumber }: Face): readonly ParamHeader[] {
  if (inputSchema === undefined || !isJsonObject(inputSchema)) throw new Unusable('its inputSchema is not an object')
  try {
    return parseParamHeaders(inputSchema, { allowNumber: xMcpHeaderAllowNumber })
  } catch (error) {
    if (!(error instanceof ParamHeaderError)) throw error
    throw new Unusable(`x-mcp-header ${error.reason} at ${visibleName(error.pointer)}`)
  }
}

/** MCP 2026-07-28 schema §Prompt: `arguments`, where there are any, are named, and a name stands for one of them. */
function readPrompt({ arguments: list }: JsonObject): readonly ParamHeader[] {
  if (list === undefined) return []
  if (!isJsonArray(list)) throw new Unusable('its arguments are not a list')
  const names = new Set<string>()
  for (const argument of list) {
    const name = isJsonObject(argument) ? argument.name : undefined
    if (typeof name !== 'string' || name === '') throw new Unusable('an argument has no name')
    if (names.has(name)) throw new Unusable('two arguments have one name')
    names.add(name)
  }
  return []
}

function readResource({ uri }: JsonObject): readonly ParamHeader[] {
  if (typeof uri !== 'string' || !isUri(uri)) throw new Unusable('its uri is not a URI')
  return []
}

function readTemplate({ uriTemplate }: JsonObject): readonly ParamHeader[] {
  if (typeof uriTemplate !== 'string' || createTemplateMatcher(uriTemplate) === undefined)
    throw new Unusable('its uriTemplate is none that URIs can be recognized by')
  return []
}
