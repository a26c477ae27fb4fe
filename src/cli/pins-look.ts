import type { PinKind, Reviewed, UpstreamReview } from '../catalog/index.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import { CommandFailed } from './command-failed.ts'
import { EXIT } from './io.ts'
import type { Desk } from './pins-commands.ts'
import { deliver, type FormOptions } from './pins-form.ts'
import { lookMarkdown } from './pins-markdown.ts'
import { lookReport } from './pins-report.ts'
import { chosen, isMeant, type Looked, needsReview } from './pins-session.ts'
import { diffText, fetchText, unreadText } from './pins-text.ts'

interface LookScope extends FormOptions {
  readonly command: 'fetch' | 'diff'
  /** Empty: all of them. */
  readonly aliases: readonly string[]
  readonly name?: string | undefined
  readonly kind?: PinKind
  readonly variant?: string
}

/** Reads the upstreams, all at once, and shows them in the order of the file; one that cannot be reached does not hide the others. */
export async function look(desk: Desk, scope: LookScope): Promise<number | undefined> {
  const { io, session } = desk
  const upstreams = chosen(session, scope.aliases)
  const settled = await Promise.allSettled(upstreams.map(({ alias }) => session.review(alias)))
  const all = settled.map((outcome, index): Looked => {
    const upstream = upstreams[index] as UpstreamConfig
    if (outcome.status === 'fulfilled') {
      const review = ofVariant(outcome.value, scope.variant)
      return { upstream, review, shown: shownOf(review, scope), failure: undefined }
    }
    if (!(outcome.reason instanceof CommandFailed)) throw outcome.reason
    return { upstream, review: NOTHING, shown: [], failure: outcome.reason.message }
  })
  await deliver(io, scope, {
    text: () => (scope.command === 'fetch' ? fetchText(desk, all) : diffText(desk, all, scope.name === undefined)),
    json: () => lookReport(desk, all, scope.command),
    markdown: () => lookMarkdown(desk, all, scope),
  })
  for (const { upstream, review, failure } of all) io.stderr(failure === undefined ? unreadText(upstream.alias, review) : `${failure}\n`)
  if (all.some(({ review, failure }) => failure !== undefined || review.unread.length > 0)) return EXIT.failed
  return all.some(({ shown }) => shown.some(needsReview)) ? EXIT.review : undefined
}

const NOTHING: UpstreamReview = { items: [], withheld: [], unread: [] }

/** What one class is shown, where one was asked for. */
function ofVariant(review: UpstreamReview, variant: string | undefined): UpstreamReview {
  if (variant === undefined) return review
  const isMeantFor = (each: { readonly variant: string }) => each.variant === variant
  return { items: review.items.filter(isMeantFor), withheld: review.withheld.filter(isMeantFor), unread: review.unread.filter(isMeantFor) }
}

/** `diff` without a name is about what waits. */
function shownOf({ items }: UpstreamReview, scope: LookScope): readonly Reviewed[] {
  return items.filter(item => isMeant(item, scope) && (scope.command === 'fetch' || scope.name !== undefined || needsReview(item)))
}
