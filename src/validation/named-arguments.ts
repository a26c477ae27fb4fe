import { ERRORS, Refusal } from '../core/errors.ts'
import { foldedKey, foldedTwin, isJsonArray, isJsonObject, type JsonObject } from '../core/json.ts'
import type { ApprovedItem, ItemKind } from '../core/model.ts'
import { templateVariables } from '../mcp/index.ts'
import { writeFaults } from './faults.ts'

/** What a prompt declares, or a resource template: texts with names. */
interface Declared {
  readonly names: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
  readonly required: readonly string[]
}

/** What has no name, which the catalog withholds anyway, declares nothing. */
function declaredByPrompt({ arguments: list }: JsonObject): Declared {
  const named = (isJsonArray(list) ? list : []).flatMap(argument =>
    isJsonObject(argument) && typeof argument.name === 'string' ? [{ name: argument.name, isRequired: argument.required === true }] : [],
  )
  return declare(
    named.map(({ name }) => name),
    named.flatMap(({ name, isRequired }) => (isRequired ? name : [])),
  )
}

function declare(names: readonly string[], required: readonly string[]): Declared {
  return { names: new Set(names), folded: new Set(names.flatMap(name => foldedKey(name) ?? [])), required }
}

const NOTHING = declare([], [])

/** By descriptor, which lives as long as what was approved. */
const known = new WeakMap<JsonObject, Declared>()

function declaredBy({ kind, descriptor, upstreamName }: ApprovedItem): Declared {
  // A resource that no list names shares its descriptor with others of its kind, and none of them declares anything.
  if (kind !== 'prompt' && kind !== 'resourceTemplate') return NOTHING
  let declared = known.get(descriptor)
  if (declared === undefined) {
    declared = kind === 'prompt' ? declaredByPrompt(descriptor) : declare(templateVariables(upstreamName) ?? [], [])
    known.set(descriptor, declared)
  }
  return declared
}

const KINDS: Readonly<Record<ItemKind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource template',
}

/** Texts by name: those that are declared and no others; `isWhole`: all that are required, too. Throws VALIDATION_ARGUMENTS. */
export function checkNamedArguments(item: ApprovedItem, args: JsonObject, isWhole: boolean): void {
  const lines = faultsOf(declaredBy(item), args, isWhole)
  if (lines.length === 0) return
  const text = `${ERRORS.VALIDATION_ARGUMENTS.text.replace('tool', KINDS[item.kind])}${writeFaults({ lines })}`
  throw new Refusal('VALIDATION_ARGUMENTS', { text, notProcessed: true }, { keyword: 'arguments', faults: lines.length })
}

/** Names that are sent and not declared, and are compared with those that are. */
const MAX_COMPARED = 1_000

/** In the descriptor's words: neither a value nor a name that was sent. */
function faultsOf({ names, folded, required }: Declared, args: JsonObject, isWhole: boolean): readonly string[] {
  const sent = Object.keys(args)
  // With so many some are unknown, however they are spelled, and all of them would have to be compared.
  if (sent.length > names.size + MAX_COMPARED) return [unknownFault(names)]
  if (foldedTwin(args) !== undefined) return ['two argument names differ only by case or Unicode form']
  const lines = isWhole ? required.filter(name => !Object.hasOwn(args, name)).map(name => `/${clip(name)} is required`) : []
  let isMisspelled = false
  let isUnknown = false
  for (const name of sent) {
    if (names.has(name)) {
      if (typeof args[name] !== 'string') lines.push(`/${clip(name)} must be a string`)
    } else if (folded.has(foldedKey(name) ?? '')) isMisspelled = true
    else isUnknown = true
  }
  if (isMisspelled) lines.push('an argument name differs from a known one only by case or Unicode form')
  if (isUnknown) lines.push(unknownFault(names))
  return lines
}

function unknownFault(names: ReadonlySet<string>): string {
  return `/ has an argument that is not allowed; ${names.size === 0 ? 'there are none' : `known are ${listed(names)}`}`
}

function listed(names: ReadonlySet<string>): string {
  return clip([...names].join(', '))
}

function clip(text: string): string {
  return text.length > 250 ? `${text.slice(0, 250)}…` : text
}
