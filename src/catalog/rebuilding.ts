import type { Face } from './face.ts'
import type { PinKind } from './kinds.ts'
import type { Window } from './window.ts'

/** Keeps windows up to date with what is behind them: once for everything that is judged in one turn of the event loop. */
interface Rebuilding {
  /** From now on, these windows (built already) are marked for rebuilding when something behind them is judged anew. */
  watch(windows: readonly Window[]): void
  /** From now on marked windows are rebuilt by themselves. Until all upstreams had time to answer, each answer would rebuild them once more. */
  begin(): void
  /** Told when items of this variant of an upstream were judged anew. */
  judgedOf(face: Pick<Face, 'alias' | 'variant'>): (kind: PinKind) => void
  /** Other items are shown although none was judged anew. */
  readonly turned: () => void
  /** Builds what is still to be built now. */
  flush(): void
  close(): void
}

export function createRebuilding(onChange: () => void): Rebuilding {
  const dirty = new Map<Window, Set<PinKind>>()
  let windows: readonly Window[] = []
  let hasBegun = false
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
    if (hasBegun) immediate ??= setImmediate(flush)
  }

  return {
    watch(built) {
      windows = built
    },
    begin() {
      hasBegun = true
      flush()
    },
    judgedOf:
      ({ alias, variant }) =>
      kind => {
        for (const window of windows) {
          if (!window.stocks.some(stock => stock.alias === alias && stock.variant === variant)) continue
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
