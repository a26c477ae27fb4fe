import type { UpstreamProfile } from './read-discovery.ts'
import type { Shelf } from './shelf.ts'
import type { Window } from './window.ts'

/** What an endpoint's upstreams can do together, as far as it is served. */
export interface ServedProfile extends Omit<UpstreamProfile, 'listChanged'> {
  /** Approved `instructions`, in the order of the endpoint's upstreams. */
  readonly instructions: readonly { readonly alias: string; readonly text: string }[]
}

/** A capability outlasts the silence of who has it: callers keep what they were told, and lists say what is lacking. */
export function profileOf(shelves: readonly Shelf[], instructions: Window['instructions']): ServedProfile {
  const profiles = shelves.map(({ profile }) => profile)
  return {
    tools: profiles.some(({ tools }) => tools),
    prompts: profiles.some(({ prompts }) => prompts),
    resources: profiles.some(({ resources }) => resources),
    completions: profiles.some(({ completions }) => completions),
    logging: profiles.some(({ logging }) => logging),
    tasks: shelves.some(({ upstream, profile }) => upstream.allowTasks && profile.tasks),
    instructions: instructions.filter(({ stock }) => !stock.isExpired('server')).map(({ stock: { alias }, text }) => ({ alias, text })),
  }
}
