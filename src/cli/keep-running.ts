import type { PolicyWatch } from '../policy/index.ts'
import type { Gateway } from '../serve.ts'
import type { CommandIo } from './io.ts'

/** For what is on its way out of the process when everything of ours has ended. */
const LAST_WAIT_MS = 1_000

interface RunningOptions {
  readonly gateway: Gateway
  readonly watch: PolicyWatch
  readonly io: CommandIo
  readonly describe: (error: unknown) => string
}

export interface Running {
  /** Loads the policies again. */
  reload(): void
  /** The same, where the last change was refused: what it lacked may be there now. */
  reloadIfRefused(): void
  /** What SIGHUP asks for: the same, and the audit file opened anew. */
  hangUp(): void
}

/** Ends the gateway on SIGTERM or SIGINT; until then it reloads when it is told to. */
export function keepRunning({ gateway, watch, io, describe }: RunningOptions): Running {
  let reloading = Promise.resolve()
  let isWaiting = false
  let isStopping = false
  let isRefused = false

  async function reloadOnce(): Promise<void> {
    isWaiting = false
    if (isStopping) return
    try {
      await gateway.reload()
      isRefused = false
      io.stderr(`policies reloaded, revision ${gateway.rooms().configuration.revision}\n`)
    } catch (error) {
      isRefused = true
      io.stderr(`policies not changed:\n${describe(error)}\n`)
    }
  }

  function reload(): void {
    // One that has not begun sees this change too: a storm of signals is at most two reloads, and none stands before the end.
    if (isWaiting) return
    isWaiting = true
    reloading = reloading.then(reloadOnce)
  }

  function stop(): void {
    // A terminal sends SIGINT to all, and whoever started us may send SIGTERM after it: that is one end, not two.
    if (isStopping) return
    isStopping = true
    watch.close()
    void reloading.then(() => gateway.close()).then(leave)
  }

  function leave(): void {
    io.stderr('wicketgate has stopped\n')
    // Whatever still waits, for a pipe that nobody reads or a server that is silent, waits for nothing of ours.
    setTimeout(() => process.exit(), LAST_WAIT_MS).unref()
  }

  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return {
    reload,
    reloadIfRefused: () => isRefused && reload(),
    hangUp() {
      if (isStopping) return
      gateway.reopenAudit()
      reload()
    },
  }
}
