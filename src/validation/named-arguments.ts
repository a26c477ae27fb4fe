import { ERRORS, Refusal } from '../core/errors.ts'
import { foldedKey, foldedTwin, isJsonArray, isJsonObject, type JsonObject } from '../core/json.ts'
import type { ApprovedItem, ItemKind } from '../core/model.ts'
import { templateVariables } from '../mcp/index.ts'
import { writeFaults } from './faults.ts'

/** What a prompt declares, or a resource template: texts with names. */
export interface Declared {
  readonly names: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
  readonly required: readonly string[]
}

/** The arguments of a prompt, or why they cannot be enforced. */
export function declaredByPrompt({ arguments: declared }: JsonObject): Declared | string {
  if (declared === undefined) return NOTHING
  if (!isJsonArray(declared)) return 'arguments: is not a list'
  const names = new Set<string>()
  const folded = new Set<string>()
  const required: string[] = []
  for (const argument of declared) {
    const name = isJsonObject(argument) ? argument.name : undefined
    if (!isJsonObject(argument) || typeof name !== 'string') return 'arguments: has one without a name'
    if (argument.required !== undefined && typeof argument.required !== 'boolean')
      return 'arguments: has one whose required is not a boolean'
    const other = foldedKey(name)
    // A server that matches names without case would take one for the other.
    if (other === undefined || folded.has(other)) return 'arguments: has two names that differ only by case or Unicode form'
    names.add(name)
    folded.add(other)
    if (argument.required === true) required.push(name)
  }
  return { names, folded, required }
}

const NOTHING: Declared = { names: new Set(), folded: new Set(), required: [] }

/** By descriptor, which lives as long as what was approved. */
const known = new WeakMap<JsonObject, Declared | string>()

function declaredBy({ kind, descriptor, upstreamName }: ApprovedItem): Declared | string {
  let declared = known.get(descriptor)
  if (declared === undefined) {
    declared = kind === 'prompt' ? declaredByPrompt(descriptor) : kind === 'resourceTemplate' ? declaredByTemplate(upstreamName) : NOTHING
    known.set(descriptor, declared)
  }
  return declared
}

function declaredByTemplate(template: string): Declared {
  const variables = templateVariables(template) ?? []
  return { names: new Set(variables), folded: new Set(variables.flatMap(name => foldedKey(name) ?? [])), required: [] }
}

const KINDS: Readonly<Record<ItemKind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource template',
}

/** Texts by name: those that are declared and no others; `isWhole`: all that are required, too. Throws VALIDATION_ARGUMENTS, CATALOG_UNKNOWN_PROMPT. */
export function checkNamedArguments(item: ApprovedItem, args: JsonObject, exposedName: string, isWhole: boolean): void {
  const declared = declaredBy(item)
  // Withheld prompts do not get this far; if one does, it is answered like every prompt that cannot be used.
  if (typeof declared === 'string') throw new Refusal('CATALOG_UNKNOWN_PROMPT', { name: exposedName }, { reason: declared })
  const lines = faultsOf(declared, args, isWhole)
  if (lines.length === 0) return
  const text = `${ERRORS.VALIDATION_ARGUMENTS.text.replace('tool', KINDS[item.kind])}${writeFaults({ lines, keyword: 'arguments', count: lines.length })}`
  throw new Refusal('VALIDATION_ARGUMENTS', { text, notProcessed: true }, { keyword: 'arguments', faults: lines.length })
}

/** In the descriptor's words: neither a value nor a name that was sent. */
function faultsOf({ names, folded, required }: Declared, args: JsonObject, isWhole: boolean): readonly string[] {
  if (foldedTwin(args) !== undefined) return ['two argument names differ only by case or Unicode form']
  const lines = isWhole ? required.filter(name => !Object.hasOwn(args, name)).map(name => `/${clip(name)} is required`) : []
  let isMisspelled = false
  let isUnknown = false
  for (const name of Object.keys(args)) {
    if (names.has(name)) {
      if (typeof args[name] !== 'string') lines.push(`/${clip(name)} must be a string`)
    } else if (folded.has(foldedKey(name) ?? '')) isMisspelled = true
    else isUnknown = true
  }
  if (isMisspelled) lines.push('an argument name differs from a known one only by case or Unicode form')
  if (isUnknown) lines.push(`/ has an argument that is not allowed; ${names.size === 0 ? 'there are none' : `known are ${listed(names)}`}`)
  return lines
}

function listed(names: ReadonlySet<string>): string {
  return clip([...names].join(', '))
}

function clip(text: string): string {
  return text.length > 250 ? `${text.slice(0, 250)}…` : text
}
