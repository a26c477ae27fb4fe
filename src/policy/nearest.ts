/** The candidate within two edits (a third of the word for short ones) of what was written. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const wanted = written.slice(0, 64).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.min(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.slice(0, 64).toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean "x"?`, or nothing. */
export function suggest(written: string, candidates: Iterable<string>): string {
  const best = nearest(written, candidates)
  return best === undefined ? '' : `; did you mean "${best}"?`
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cell = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cell = Math.min(cell, (beforePrevious[j - 2] ?? 0) + 1)
      current.push(cell)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
