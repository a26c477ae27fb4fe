/** How a bounded number of places is divided among those who take them. `count`: how many at once, one where it is not said. */
export interface Shares {
  hasRoom(owner: string, count?: number): boolean
  take(owner: string, count?: number): void
  giveBack(owner: string, count?: number): void
}

/** One owner alone gets four fifths of all places, two get four ninths each, and so on. */
const HELD_PER_FREE = 4

/**
 * Nobody may hold more than four times what is still free. So some room is left however many there are who take all they can, whoever
 * comes new finds a place, and no place is set aside for owners that never come. `perOwner`: nor more than that, however much is free.
 */
export function createShares(places: number, perOwner = Number.POSITIVE_INFINITY): Shares {
  const held = new Map<string, number>()
  let free = places
  return {
    // As if they were taken one by one: the last of them is the hardest to get.
    hasRoom(owner, count = 1) {
      const before = (held.get(owner) ?? 0) + count - 1
      return before < HELD_PER_FREE * (free - count + 1) && before < perOwner
    },
    take(owner, count = 1) {
      free -= count
      held.set(owner, (held.get(owner) ?? 0) + count)
    },
    giveBack(owner, count = 1) {
      free += count
      const left = (held.get(owner) ?? 0) - count
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
    },
  }
}
