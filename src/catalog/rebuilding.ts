import type { PinKind } from './kinds.ts'
import type { Window } from './window.ts'

/** Keeps windows up to date with what is behind them: once for everything that is judged in one turn of the event loop. */
interface Rebuilding {
  /** The windows are built; from now on changes are told. */
  begin(windows: readonly Window[]): void
  /** Told when items of this upstream were judged anew. */
  judgedOf(alias: string): (kind: PinKind) => void
  /** Other items are shown although none was judged anew. */
  readonly turned: () => void
  /** Builds what is still to be built now. */
  flush(): void
  close(): void
}

export function createRebuilding(onChange: () => void): Rebuilding {
  const dirty = new Map<Window, Set<PinKind>>()
  let windows: readonly Window[] = []
  let immediate: NodeJS.Immediate | undefined
  let hasTurned = false

  function flush(): void {
    clearImmediate(immediate)
    immediate = undefined
    let isOther = hasTurned
    hasTurned = false
    for (const [window, kinds] of dirty) isOther = window.build(kinds) || isOther
    dirty.clear()
    if (isOther) onChange()
  }

  function flushSoon(): void {
    immediate ??= setImmediate(flush)
  }

  return {
    begin(built) {
      windows = built
    },
    judgedOf: alias => kind => {
      for (const window of windows) {
        if (!window.stocks.some(stock => stock.alias === alias)) continue
        const kinds = dirty.get(window) ?? new Set()
        dirty.set(window, kinds.add(kind))
        flushSoon()
      }
    },
    turned() {
      hasTurned = windows.length > 0
      if (hasTurned) flushSoon()
    },
    flush,
    close() {
      windows = []
      dirty.clear()
      hasTurned = false
      clearImmediate(immediate)
    },
  }
}
