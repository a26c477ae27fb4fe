import type { ErrorCode } from '../core/errors.ts'
import type { ItemKind } from '../core/model.ts'

/** The maps of a tools file. */
export const SECTIONS = ['tools', 'prompts', 'resources'] as const
export type Section = (typeof SECTIONS)[number]

/** Resources and their templates share one map, for both are about URIs. */
export const SECTION_OF: Readonly<Record<ItemKind, Section>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resourceTemplate: 'resources',
}

export function mapSections<Value>(make: (section: Section) => Value): Readonly<Record<Section, Value>> {
  return { tools: make('tools'), prompts: make('prompts'), resources: make('resources') }
}

/** One answer for everything this caller may not know of. */
export const UNKNOWN_CODE = {
  tools: 'CATALOG_UNKNOWN_TOOL',
  prompts: 'CATALOG_UNKNOWN_PROMPT',
  resources: 'CATALOG_UNKNOWN_RESOURCE',
} as const satisfies Readonly<Record<Section, ErrorCode>>
