/** How the places of a bounded store are divided among those who take them. */
export interface Shares {
  hasRoom(owner: string): boolean
  take(owner: string): void
  giveBack(owner: string): void
}

/** One owner alone gets four fifths of all places, two get four ninths each, and so on. */
const HELD_PER_FREE = 4

/**
 * Nobody may hold more than four times what is still free. So some room is left however many there are who take all they can, whoever
 * comes new finds a place, and no place is set aside for owners that never come.
 */
export function createShares(places: number): Shares {
  const held = new Map<string, number>()
  let free = places
  return {
    hasRoom: owner => (held.get(owner) ?? 0) < HELD_PER_FREE * free,
    take(owner) {
      free -= 1
      held.set(owner, (held.get(owner) ?? 0) + 1)
    },
    giveBack(owner) {
      free += 1
      const left = (held.get(owner) ?? 0) - 1
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
    },
  }
}
