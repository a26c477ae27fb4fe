/** Counts what is under way: exchanges whose connection is open, and corridors that still run for a caller who has left. */
export interface Guests {
  enter(): void
  leave(): void
  /** Resolves once nobody is inside. */
  gone(): Promise<void>
}

export function createGuests(): Guests {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    enter() {
      count += 1
    },
    leave() {
      count -= 1
      if (count > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    gone: () => (count === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}
