import { Refusal } from '../core/errors.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { ClientCapabilities, RequestMeta } from '../core/model.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'

/** The extension's identifier (SEP-2663 §Extension Identifier). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const FORM = 1
const URL_MODE = 2
const SAMPLING = 4
const SAMPLING_TOOLS = 8
const SAMPLING_CONTEXT = 16
const ROOTS = 32
const TASKS = 64

/** One object for each set of capabilities there can be: nearly every request declares one of the same few, so none makes its own. */
const SETS: readonly ClientCapabilities[] = Array.from({ length: 2 * TASKS }, (_, bits) =>
  Object.freeze({
    form: (bits & FORM) !== 0,
    url: (bits & URL_MODE) !== 0,
    sampling: (bits & SAMPLING) !== 0,
    samplingTools: (bits & SAMPLING_TOOLS) !== 0,
    samplingContext: (bits & SAMPLING_CONTEXT) !== 0,
    roots: (bits & ROOTS) !== 0,
    tasks: (bits & TASKS) !== 0,
  }),
)

/**
 * What a caller declares (MCP 2026-07-28 schema §ClientCapabilities); equal sets are one object. A known member that is no object
 * throws MCP_PARAMS_INVALID. Unknown capabilities and extensions are not served here, and so are passed over.
 */
export function parseCapabilities(declared: JsonObject): ClientCapabilities {
  const bits = elicitationBits(declared) | samplingBits(declared) | bitOf(declared, 'roots', ROOTS) | extensionBits(declared)
  return SETS[bits] as ClientCapabilities
}

function elicitationBits(declared: JsonObject): number {
  const elicitation = objectOf(declared, 'elicitation')
  if (elicitation === undefined) return 0
  // One that names no mode is from before there were two (client/elicitation §Capabilities).
  return bitOf(elicitation, 'form', FORM) | bitOf(elicitation, 'url', URL_MODE) || FORM
}

function samplingBits(declared: JsonObject): number {
  const sampling = objectOf(declared, 'sampling')
  if (sampling === undefined) return 0
  return SAMPLING | bitOf(sampling, 'tools', SAMPLING_TOOLS) | bitOf(sampling, 'context', SAMPLING_CONTEXT)
}

function extensionBits(declared: JsonObject): number {
  const extensions = objectOf(declared, 'extensions')
  return extensions === undefined ? 0 : bitOf(extensions, TASKS_EXTENSION, TASKS)
}

function bitOf(object: JsonObject, key: string, bit: number): number {
  return objectOf(object, key) === undefined ? 0 : bit
}

function objectOf(object: JsonObject, key: string): JsonObject | undefined {
  const value = ownMember(object, key)
  if (value === undefined) return undefined
  if (!isJsonObject(value)) throw paramsInvalid('meta', 'clientCapabilities')
  return value
}

const REQUIRED_TASKS: JsonObject = { extensions: { [TASKS_EXTENSION]: {} } }

/** Task requests, and subscriptions to tasks, are for callers that declare the extension (SEP-2663 §Protocol Errors). */
export function checkTasksDeclared({ capabilities }: RequestMeta): void {
  if (!capabilities.tasks) throw new Refusal('MCP_CAPABILITY_MISSING', { requiredCapabilities: REQUIRED_TASKS })
}

/**
 * Of what a legacy client declares, what its revision has a form for: forms since 2025-06-18; pages, tools and context for its model since
 * 2025-11-25; the tasks extension in none of them. Revisions are dates, so text order is time order.
 */
export function capabilitiesIn(revision: string, declared: ClientCapabilities): ClientCapabilities {
  const forms = revision >= '2025-06-18' ? FORM : 0
  const pages = revision >= '2025-11-25' ? URL_MODE | SAMPLING_TOOLS | SAMPLING_CONTEXT : 0
  return SETS[bitsOf(declared) & (SAMPLING | ROOTS | forms | pages)] as ClientCapabilities
}

/** What is in both sets. */
export function commonCapabilities(some: ClientCapabilities, others: ClientCapabilities): ClientCapabilities {
  return SETS[bitsOf(some) & bitsOf(others)] as ClientCapabilities
}

/** A number for each set. */
export function bitsOf({ form, url, sampling, samplingTools, samplingContext, roots, tasks }: ClientCapabilities): number {
  const questions = (form ? FORM : 0) | (url ? URL_MODE : 0) | (roots ? ROOTS : 0) | (sampling ? SAMPLING : 0)
  return questions | (samplingTools ? SAMPLING_TOOLS : 0) | (samplingContext ? SAMPLING_CONTEXT : 0) | (tasks ? TASKS : 0)
}

/** Of a client that can be asked nothing. */
export const NO_CAPABILITIES: ClientCapabilities = SETS[0] as ClientCapabilities
