/** Requests of sessions whose client is not there, and which go on all the same: no connection holds them, so nothing else counts them. */
export interface Absentees {
  /** False where there are as many of this owner, or in all, as may be. */
  enter(owner: string): boolean
  leave(owner: string): void
}

/** A caller that loses its connection has a few, and must not hold every connection to a server; every caller of a process has some when a proxy in front of it starts anew. */
const MAX_OF_OWNER = 16
const MAX_IN_ALL = 1_024

export function createAbsentees(): Absentees {
  const counts = new Map<string, number>()
  let inAll = 0
  return {
    enter(owner) {
      const count = counts.get(owner) ?? 0
      if (count >= MAX_OF_OWNER || inAll >= MAX_IN_ALL) return false
      counts.set(owner, count + 1)
      inAll += 1
      return true
    },
    leave(owner) {
      const left = (counts.get(owner) ?? 0) - 1
      if (left > 0) counts.set(owner, left)
      else counts.delete(owner)
      inAll -= 1
    },
  }
}
