import { visibleName } from './hidden-characters.ts'
import type { JudgedTool } from './judge.ts'

export type Facts = Readonly<Record<string, string | number | boolean>>
export type Report = (name: string, facts: Facts) => void

/** Tells the audit trail what changed about one upstream, each change once. */
interface Reporter {
  event(name: string, facts: Facts): void
  /** Not again until something else was said about the upstream. */
  once(name: string): void
  tools(
    judged: readonly JudgedTool[],
    withheld: readonly { readonly name: string; readonly reason: string }[],
    unenforceable: (pin: string) => string | undefined,
  ): void
  readonly reported: ReadonlyMap<string, string>
}

export function createReporter(alias: string, report: Report, before: ReadonlyMap<string, string> = new Map()): Reporter {
  let reported = new Map(before)
  let last = ''
  const say = (name: string, facts: Facts) => {
    last = name
    report(name, { alias, ...facts })
  }
  return {
    event: say,
    once(name) {
      if (last !== name) say(name, {})
    },
    tools(judged, withheld, unenforceable) {
      const now = new Map<string, string>()
      for (const { name, state, seen, approved, cosmetic } of judged) {
        const reason = state === 'approved' && approved !== undefined ? unenforceable(approved.pin) : undefined
        const pin = seen?.pin ?? approved?.pin ?? ''
        const told = reason === undefined ? `${state} ${pin}` : `withheld ${reason}`
        now.set(name, told)
        if (reported.get(name) === told) continue
        if (reason !== undefined) say('pin.withheld', { tool: visibleName(name), reason })
        else
          say(`pin.${state}`, {
            tool: visibleName(name),
            pin,
            ...(state === 'drifted' ? { approvedPin: approved?.pin ?? '', cosmetic } : {}),
          })
      }
      for (const { name, reason } of withheld) {
        const told = `withheld ${reason}`
        now.set(name, told)
        if (reported.get(name) !== told) say('pin.withheld', { tool: visibleName(name), reason })
      }
      reported = now
    },
    get reported() {
      return reported
    },
  }
}
