/** Who wants to hear of which key, in this process. */
export interface Watchers {
  watch(key: string, run: () => void): () => void
  /** Whoever watches that key runs soon, and once however often it was told until then. */
  tell(key: string): void
  /** The keys that are watched, those first that were `turned` longest ago. */
  keys(): Iterable<string>
  readonly size: number
  /** Puts a key behind all others. */
  turn(key: string): void
}

export interface WatchedKeys {
  /** The first watcher of a key has come. */
  readonly onFirst: (key: string) => void
  /** The last one has gone. */
  readonly onLast: (key: string) => void
}

/** Runs nothing while a caller is at work: a watcher that is told in the middle of a write would see half of what its writer does. */
export function createWatchers({ onFirst, onLast }: WatchedKeys): Watchers {
  const watched = new Map<string, Set<{ readonly run: () => void }>>()
  const told = new Set<string>()

  const runTold = (): void => {
    const keys = [...told]
    told.clear()
    for (const key of keys) {
      const watching = watched.get(key) ?? []
      for (const watcher of [...watching]) {
        // One that ran may have ended another.
        if (watched.get(key)?.has(watcher)) watcher.run()
      }
    }
  }

  return {
    watch(key, run) {
      const watcher = { run }
      const watching = watched.get(key)
      if (watching === undefined) {
        watched.set(key, new Set([watcher]))
        onFirst(key)
      } else {
        watching.add(watcher)
      }
      return () => {
        const now = watched.get(key)
        if (!now?.delete(watcher) || now.size > 0) return
        watched.delete(key)
        onLast(key)
      }
    },
    tell(key) {
      if (!watched.has(key)) return
      if (told.size === 0) setImmediate(runTold)
      told.add(key)
    },
    keys: () => watched.keys(),
    get size() {
      return watched.size
    },
    turn(key) {
      const watching = watched.get(key)
      if (watching === undefined) return
      watched.delete(key)
      watched.set(key, watching)
    },
  }
}
