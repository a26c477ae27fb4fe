/** A number of places, and how many of them one owner may have at a time. */
export interface Places {
  /** False where there is none left for this owner. */
  take(owner: string): boolean
  giveBack(owner: string): void
}

export function createPlaces(perOwner: number, inAll = Number.POSITIVE_INFINITY): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(owner) {
      const count = taken.get(owner) ?? 0
      if (count >= perOwner || all >= inAll) return false
      taken.set(owner, count + 1)
      all += 1
      return true
    },
    giveBack(owner) {
      const left = (taken.get(owner) ?? 0) - 1
      if (left > 0) taken.set(owner, left)
      else taken.delete(owner)
      all -= 1
    },
  }
}
