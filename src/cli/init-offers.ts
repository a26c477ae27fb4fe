import type { ItemKind } from '../core/model.ts'
import { createTemplateMatcher } from '../mcp/index.ts'
import { type InitChoices, lines, quoted } from './init-files.ts'

export interface Offer {
  readonly kind: ItemKind
  /** Its name, URI or template. */
  readonly name: string
}

/** Of one scheme; beyond, a pattern stands for all of them. */
const MAX_BY_URI = 20

/** `tools/<alias>.yaml`: everything the server offers, and nobody who may use it. */
export function toolsYaml({ alias, anonymous }: InitChoices, offers: readonly Offer[]): string {
  const scope = (verb: string) => (anonymous ? '[]' : `["${alias}:${verb}"]`)
  const named = (...kinds: readonly ItemKind[]) => offers.filter(offer => kinds.includes(offer.kind) && isKey(offer))
  const [tools, prompts, resources] = [named('tool'), named('prompt'), resourceKeys(named('resource', 'resourceTemplate'))]
  const left = offers.filter(offer => !isKey(offer)).length
  const reads = (key: string) => `  ${quoted(key)}: {} # { allow: [{ scopes: ${scope('read')} }] }`
  return lines(
    `# What ${alias} offers, and who may use it. What has no allow rule can be used by nobody.`,
    '#',
    '# effect: what running the tool may do. Say it from your own knowledge; "destructive" stands until you do.',
    '#   read          changes nothing',
    '#   write         changes something, and can be put right',
    '#   destructive   cannot be put right',
    '#',
    `# allow: any one rule suffices.${anonymous ? ' `scopes: []` is for every caller that the endpoint lets in.' : ' The scopes are those of your authorization server.'}`,
    '#   allow:',
    `#     - scopes: ${scope('read')}`,
    left === 0 ? undefined : `#\n# Left out: ${left} whose name cannot be a key, most often for a "*", which would be a pattern here.`,
    'version: 1',
    `upstream: ${quoted(alias)}`,
    tools.length > 0 ? 'tools:' : 'tools: {}',
    ...tools.flatMap(({ name }) => [
      `  ${quoted(name)}:`,
      '    effect: destructive   # fill in: read, write or destructive',
      `    # allow: [{ scopes: ${scope('use')} }]`,
    ]),
    prompts.length > 0 ? 'prompts:' : undefined,
    ...prompts.map(({ name }) => reads(name)),
    resources.length > 0 ? 'resources: # by URI, by template, or by a pattern of URIs' : undefined,
    ...resources.map(reads),
  )
}

function resourceKeys(offers: readonly Offer[]): readonly string[] {
  const byScheme = Map.groupBy(offers, ({ name }) => name.slice(0, name.indexOf(':') + 1))
  return [...byScheme].flatMap(([scheme, own]) => (own.length > MAX_BY_URI ? [`${scheme}*`] : own.map(({ name }) => name)))
}

/** Whether a policy can name it as it is: a `*` would be a pattern, and some texts cannot be keys at all. */
function isKey({ kind, name }: Offer): boolean {
  if (kind === 'resourceTemplate') return name.includes('{') && createTemplateMatcher(name) !== undefined
  if (kind === 'resource') return !/[*{]/.test(name) && name.length <= 2_048
  return !name.includes('*') && name.length <= 256 && !['', '<<', '__proto__'].includes(name)
}
