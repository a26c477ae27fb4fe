import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UpstreamTransport } from '../../core/configuration.ts'

export type StdioTransport = Extract<UpstreamTransport, { readonly kind: 'stdio' }>

/** How long a process may take to end once its stdin is closed, and once more after SIGTERM. */
const GRACE_MS = 2_000

/** After SIGKILL: what is still there then hangs in the kernel, and nothing more can be done. */
const KILLED_MS = 1_000

/** For what it said last to be read. */
const LAST_WORDS_MS = 1_000

const POLL_MS = 20

/** Groups that are alive: where this process ends without having closed them, they are killed on its way out. */
const alive = new Set<number>()
let isWatchingExit = false

/** A program that we run, and all that it starts itself unless it leaves the group. */
export class ProcessGroup {
  readonly child: ChildProcess
  readonly pid: number
  /** Settles when the program itself has ended, with what `child_process` calls it: `exit 1`, `SIGSEGV`. */
  readonly ended: Promise<string>
  /** Settles when nothing of the group is left, or nothing that could be ended. */
  readonly gone: Promise<void>
  #stopping: Promise<void> | undefined

  private constructor(child: ChildProcess, pid: number) {
    this.child = child
    this.pid = pid
    alive.add(pid)
    watchExit()
    this.ended = new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`)))
    // What it leaves behind is nobody's: it could not be spoken to, and would go on for ever.
    this.gone = this.ended.then(() => this.stop())
  }

  /** Starts the program: no shell, and a process group (a session) of its own. Rejects with the system's error where it cannot be run. */
  static start({ command, environment, directory, logsStderr }: StdioTransport): Promise<ProcessGroup> {
    const [program, ...args] = command
    return new Promise((resolve, reject) => {
      // Throws by itself for what no system call can be given.
      const child = spawn(program, args, {
        cwd: directory,
        env: environment,
        stdio: ['pipe', 'pipe', logsStderr ? 'pipe' : 'ignore'],
        detached: true,
        shell: false,
      })
      child.once('error', reject)
      child.once('spawn', () => {
        child.off('error', reject)
        // Of signals that cannot be sent; who sends them looks for himself.
        child.on('error', () => {})
        if (child.pid === undefined) reject(new Error('no pid'))
        else resolve(new ProcessGroup(child, child.pid))
      })
    })
  }

  /**
   * Ends the group: closes stdin, then SIGTERM to all of it, then SIGKILL (MCP 2026-07-28 stdio §Shutdown), each only where the one before was
   * not enough. Never rejects.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const { child } = this
    child.stdin?.end()
    await this.#endsWithin(GRACE_MS, () => hasExited(child))
    // The program may be gone and what it started still there; a signal to the group reaches both.
    if (this.#signal('SIGTERM') && !(await this.#endsWithin(GRACE_MS, () => !this.#signal(0)))) {
      this.#signal('SIGKILL')
      await this.#endsWithin(KILLED_MS, () => !this.#signal(0))
    }
    alive.delete(this.pid)
    await this.#endsWithin(LAST_WORDS_MS, () => child.stdout?.readableEnded !== false || child.stdout.destroyed)
    // A process that left the group may still hold the other ends.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  }

  async #endsWithin(ms: number, isOver: () => boolean): Promise<boolean> {
    for (let waited = 0; waited < ms; waited += POLL_MS) {
      if (isOver()) return true
      await sleep(POLL_MS)
    }
    return isOver()
  }

  /** Whether there was anybody to send it to. While there is, the number of the group cannot become somebody else's. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    return sendToGroup(this.pid, signal)
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function sendToGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

function watchExit(): void {
  if (isWatchingExit) return
  isWatchingExit = true
  process.on('exit', () => {
    for (const pid of alive) sendToGroup(pid, 'SIGKILL')
  })
}
