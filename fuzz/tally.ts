import { setImmediate as breathe } from 'node:timers/promises'

/** Something that is not as it should be: what, and all that is needed to see it again. */
export interface Finding {
  readonly what: string
  readonly kind: string
  readonly index: number
  readonly schema?: unknown
  readonly value?: unknown
  readonly verdicts?: unknown
}

/** The longest that one call has held the thread, in milliseconds. */
export interface Longest {
  readonly ms: number
  readonly kind: string
  readonly index: number
}

const STALL_MS = 20
/** On a machine that has other things to do, whatever takes long seems to take longer. */
const MORE_TRIES = 7

export class Tally {
  readonly counts = new Map<string, number>()
  readonly findings: Finding[] = []
  /** What took longer than anything should; of the machine too, so not of every run. */
  readonly stalls: Longest[] = []
  readonly examples = new Map<string, unknown>()
  longestCompile: Longest = { ms: 0, kind: '', index: 0 }
  longestCheck: Longest = { ms: 0, kind: '', index: 0 }
  longestTurn: Longest = { ms: 0, kind: '', index: 0 }
  kind = ''
  index = 0

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times)
  }

  /** Counted, and the first of its kind kept. */
  note(what: string, example: unknown): void {
    this.count(what)
    if (!this.examples.has(what)) this.examples.set(what, example)
  }

  find(what: string, more: Omit<Finding, 'what' | 'kind' | 'index'> = {}): void {
    this.findings.push({ what, kind: this.kind, index: this.index, ...more })
  }

  compiling<T>(run: () => T): T {
    const { ms, result } = timed(run)
    if (ms > this.longestCompile.ms) this.longestCompile = { ms, kind: this.kind, index: this.index }
    this.#weigh(ms)
    return result
  }

  checking<T>(run: () => T): T {
    const { ms, result } = timed(run)
    if (ms > this.longestCheck.ms) this.longestCheck = { ms, kind: this.kind, index: this.index }
    this.#weigh(ms)
    return result
  }

  /** Work that others are served beside: the longest that it keeps them waiting. */
  async turning(run: () => Promise<string>): Promise<void> {
    const { ms, result } = await longestTurn(run)
    if (ms > this.longestTurn.ms) this.longestTurn = { ms, kind: this.kind, index: this.index }
    this.#weigh(ms)
    this.count(`a list: ${result}`)
  }

  #weigh(ms: number): void {
    if (ms > STALL_MS) this.stalls.push({ ms, kind: this.kind, index: this.index })
  }
}

/** CPU of this thread or time on the wall, whichever is less: the one is counted in ticks, the other also for others. What looks long is done again: a collection of garbage, or code not yet compiled, is nobody's fault. */
function timed<T>(run: () => T): { readonly ms: number; readonly result: T } {
  const first = once(run)
  if (first.ms < STALL_MS / 2) return first
  let best = [once(run), once(run)].reduce((least, next) => (next.ms < least.ms ? next : least), once(run))
  for (let again = 0; best.ms > STALL_MS && again < MORE_TRIES; again++) {
    const next = once(run)
    if (next.ms < best.ms) best = next
  }
  return best
}

function once<T>(run: () => T): { readonly ms: number; readonly result: T } {
  const before = process.threadCpuUsage()
  const started = process.hrtime.bigint()
  const result = run()
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6
  const { user, system } = process.threadCpuUsage(before)
  return { ms: Math.min(wallMs, (user + system) / 1_000), result }
}

async function longestTurn(run: () => Promise<string>): Promise<{ readonly ms: number; readonly result: string }> {
  let best = await listen(run)
  for (let again = 0; best.ms >= (again < 3 ? STALL_MS / 2 : STALL_MS) && again < 3 + MORE_TRIES; again++) {
    const next = await listen(run)
    if (next.ms < best.ms) best = next
  }
  return best
}

/** Like `perf_hooks.monitorEventLoopDelay`, to the turn. */
async function listen(run: () => Promise<string>): Promise<{ readonly ms: number; readonly result: string }> {
  let ms = 0
  let isOver = false
  let before = process.threadCpuUsage()
  let started = process.hrtime.bigint()
  const hear = () => {
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.max(ms, Math.min(wallMs, (user + system) / 1_000))
    if (isOver) return
    before = process.threadCpuUsage()
    started = process.hrtime.bigint()
    setImmediate(hear)
  }
  setImmediate(hear)
  await breathe()
  const result = await run()
  isOver = true
  hear()
  return { ms, result }
}
