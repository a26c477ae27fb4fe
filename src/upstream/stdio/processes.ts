import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '../../core/back-off.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { UpstreamConfig } from '../../core/configuration.ts'
import type { Report } from '../../core/facts.ts'
import type { Line, LineEvents } from '../line.ts'
import { PostError } from '../post.ts'
import { coded, codeOf } from './coded.ts'
import { ProcessGroup, type StdioTransport } from './process-group.ts'
import { StderrLog } from './stderr-log.ts'
import { StdioLine } from './stdio-line.ts'

/** A process that lived this long ended for once; one that did not may do so each time. */
const SETTLED_MS = 30_000

/** The wait before the next start, doubled with each that came to nothing. */
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000

const TELL_MS = 10_000

export interface ProcessOptions {
  /** One line of a process's stderr, or about it. */
  readonly log?: ((line: string) => void) | undefined
  /** What became of processes, for the trail: names and numbers of ours, never a word of theirs. */
  readonly report?: Report | undefined
  readonly clock?: Clock
}

/** The processes of one upstream: how many run, and when the next may be started. */
export interface Processes {
  /** How many run at once. */
  readonly size: number
  /** Starts a process, after a wait where those before it ended soon. Rejects with a PostError: nothing was sent. */
  open(events: LineEvents, waitMs: number): Promise<Line>
  /** Ends them all, with all that they have started; starts none any more. Never rejects. */
  close(): Promise<void>
}

export function createProcesses(
  { alias, transport, timeoutMs, streamIdleMs, maxResponseBytes }: UpstreamConfig & { readonly transport: StdioTransport },
  { log = () => {}, report = () => {}, clock = systemClock }: ProcessOptions,
): Processes {
  const groups = new Set<ProcessGroup>()
  const closing = new AbortController()
  /** Ends in a row that came soon after their start. */
  let failures = 0
  let notBeforeMs = 0

  function failed(): void {
    // Several that end together have come to nothing once.
    if (clock.monotonicMs() < notBeforeMs) return
    const waitMs = backOffMs(FIRST_WAIT_MS, MAX_WAIT_MS, failures)
    failures += 1
    notBeforeMs = clock.monotonicMs() + waitMs
  }

  async function waitForTurn(waitMs: number): Promise<void> {
    const restMs = notBeforeMs - clock.monotonicMs()
    if (closing.signal.aborted) throw notSent(coded('closed'))
    if (restMs > waitMs) throw notSent(coded('restarting'))
    if (restMs > 0) await sleep(restMs, undefined, { signal: closing.signal }).catch(() => {})
    if (closing.signal.aborted) throw notSent(coded('closed'))
  }

  async function start(): Promise<ProcessGroup> {
    try {
      return await ProcessGroup.start(transport)
    } catch (error) {
      failed()
      report('upstream.process', { alias, state: 'not_started', reason: codeOf(error) })
      throw notSent(error as Error)
    }
  }

  function follow(group: ProcessGroup): void {
    const startedMs = clock.monotonicMs()
    groups.add(group)
    report('upstream.process', { alias, state: 'started', pid: group.pid })
    const { stderr } = group.child
    if (stderr !== null) {
      new StderrLog(stderr, { secrets: transport.secrets, log: line => log(`upstream ${alias}[${group.pid}]: ${line}`) })
    }
    void group.ended.then(how => {
      const livedMs = Math.round(clock.monotonicMs() - startedMs)
      if (livedMs >= SETTLED_MS) failures = 0
      else if (!closing.signal.aborted) failed()
      report('upstream.process', { alias, state: 'ended', pid: group.pid, reason: how, livedMs })
    })
    void group.gone.then(() => groups.delete(group))
  }

  return {
    size: transport.processes,
    async open(events, waitMs) {
      await waitForTurn(waitMs)
      const group = await start()
      follow(group)
      if (closing.signal.aborted) {
        await group.stop()
        throw notSent(coded('closed'))
      }
      return new StdioLine(
        {
          group,
          maxBytes: maxResponseBytes,
          idleMs: streamIdleMs,
          tellMs: Math.min(timeoutMs, TELL_MS),
          onNoise: () => report('upstream.noise', { alias, pid: group.pid }),
          onBroken: reason => report('upstream.process', { alias, state: 'broken', pid: group.pid, reason }),
        },
        events,
      )
    },
    async close() {
      closing.abort()
      await Promise.all([...groups].map(group => group.stop()))
    },
  }
}

function notSent(cause: Error): PostError {
  return new PostError('not_sent', false, { cause })
}
