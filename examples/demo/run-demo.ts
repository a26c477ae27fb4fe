import { once as event } from 'node:events'
import { describeAccess } from './access.ts'
import { auditTable } from './audit-trail.ts'
import { startDemo } from './start.ts'
import { type Step, tell, type Write } from './tell.ts'

export interface DemoOptions {
  /** Ends after the story, instead of serving on. */
  readonly once: boolean
  readonly write: Write
  readonly stop: AbortSignal
}

/** Starts everything, tells the story, serves on, and cleans up. Returns the exit code: 1 when a step differed. */
export async function runDemo(story: readonly Step[], { once, write, stop }: DemoOptions): Promise<number> {
  write('Wicketgate in front of four MCP servers: tickets, reports, handbook, and notes, which turns hostile.\n')
  const demo = await startDemo()
  try {
    const asExpected = await tell(story, demo, { write, stop })
    if (!stop.aborted) write(`\n${auditTable(await demo.trail())}\n     ${asExpected} of ${story.length} as expected\n`)
    if (!once && !stop.aborted) {
      write(await describeAccess(demo))
      await Promise.race([event(stop, 'abort'), demo.gateway.ended])
    }
    return asExpected === story.length ? 0 : 1
  } finally {
    await demo.close()
  }
}
