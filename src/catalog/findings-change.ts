import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { type Finding, findingOf } from './findings-codes.ts'
import { schemaChanges } from './findings-schema-change.ts'

/** What a change makes more dangerous than its text shows. Nothing for an item that was never approved. */
export function changeFindings(approved: JsonObject | undefined, live: JsonObject): readonly Finding[] {
  if (approved === undefined) return []
  return [
    ...hintChanges(approved.annotations, live.annotations),
    ...schemaChanges(approved.inputSchema, live.inputSchema, '/inputSchema'),
    ...outputChanges(approved.outputSchema, live.outputSchema),
    ...argumentChanges(approved.arguments, live.arguments),
    ...mediaChanges(approved, live),
    ...unreadChanges(approved, live),
  ]
}

/** MCP 2026-07-28 schema §ToolAnnotations: what a hint means where it is missing, and which value is the milder claim. */
const HINTS = [
  { hint: 'readOnlyHint', missing: false, mild: true },
  { hint: 'destructiveHint', missing: true, mild: false },
  { hint: 'idempotentHint', missing: false, mild: true },
  { hint: 'openWorldHint', missing: true, mild: false },
] as const

/** Clients ask less about what claims to be mild. An operator cannot tell a first claim from a flip, so only a flip is serious. */
function hintChanges(before: Json | undefined, after: Json | undefined): Finding[] {
  return HINTS.flatMap(({ hint, missing, mild }) => {
    const [was, is] = [before, after].map(annotations =>
      annotations !== undefined && isJsonObject(annotations) ? annotations[hint] : undefined,
    )
    if ((was ?? missing) === (is ?? missing)) return []
    return [findingOf(was !== undefined && is === mild ? 'change.claims-less' : 'change.annotation', `/annotations/${hint}`)]
  })
}

/** Results are data for the model: where less is promised, more can come. */
function outputChanges(before: Json | undefined, after: Json | undefined): Finding[] {
  if (before === undefined) return []
  if (after === undefined) return [findingOf('change.output', '/outputSchema')]
  return schemaChanges(before, after, '/outputSchema').flatMap(({ code, pointer }) =>
    code === 'change.required' || code === 'change.default' ? [] : [findingOf('change.output', pointer)],
  )
}

function argumentChanges(before: Json | undefined, after: Json | undefined): Finding[] {
  const known = requiredIn(before)
  return [...requiredIn(after)].some(name => !known.has(name)) ? [findingOf('change.required', '/arguments')] : []
}

/** Of a prompt's arguments, the names of those that must be given. */
function requiredIn(list: Json | undefined): ReadonlySet<Json> {
  if (!isJsonArray(list)) return new Set()
  return new Set(list.flatMap(each => (isJsonObject(each) && each.required === true ? [each.name ?? null] : [])))
}

function mediaChanges(before: JsonObject, after: JsonObject): Finding[] {
  const findings: Finding[] = []
  if (before.mimeType !== undefined && before.mimeType !== after.mimeType) findings.push(findingOf('change.media-type', '/mimeType'))
  const known = iconHosts(before.icons)
  if (known.size > 0 && [...iconHosts(after.icons)].some(host => !known.has(host))) findings.push(findingOf('change.icon', '/icons'))
  return findings
}

/** Whoever shows an icon tells its host that it does. */
function iconHosts(icons: Json | undefined): ReadonlySet<string> {
  if (!isJsonArray(icons)) return new Set()
  return new Set(icons.flatMap(icon => (isJsonObject(icon) && typeof icon.src === 'string' ? [URL.parse(icon.src)?.host ?? icon.src] : [])))
}

/** Members whose meaning is known, in whichever kind of item (MCP 2026-07-28 schema §Tool, §Prompt, §Resource, §ResourceTemplate, §DiscoverResult). */
const KNOWN = new Set(
  [
    ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons', 'arguments', 'execution', '_meta'],
    ['uri', 'uriTemplate', 'mimeType', 'size', 'instructions', 'capabilities', 'supportedVersions'],
  ].flat(),
)
const KNOWN_ANNOTATIONS = new Set(['title', 'audience', 'priority', 'lastModified', ...HINTS.map(({ hint }) => hint)])
const NONE = new Set<string>()

/** What is new and belongs to nobody's vocabulary may be an order to somebody: that nothing was recognized in it would say too little. */
function unreadChanges(before: JsonObject, after: JsonObject): Finding[] {
  return [
    ...newMembers(before, after, '', KNOWN),
    ...newMembers(before.annotations, after.annotations, '/annotations', KNOWN_ANNOTATIONS),
    ...newMembers(before._meta, after._meta, '/_meta', NONE),
  ]
}

function newMembers(before: Json | undefined, after: Json | undefined, pointer: string, known: ReadonlySet<string>): Finding[] {
  if (after === undefined || !isJsonObject(after)) return []
  const was = before !== undefined && isJsonObject(before) ? before : {}
  return Object.entries(after)
    .filter(([name, value]) => !known.has(name) && (!Object.hasOwn(was, name) || canonicalJson(was[name] ?? null) !== canonicalJson(value)))
    .map(([name]) => findingOf('change.unread', `${pointer}/${pointerToken(name)}`))
}
