import type { Attributes, Meter } from '@opentelemetry/api'

/** More series than this are counted together, whatever a label's values turn out to be; the SDK stops at 2,000 in its own way. */
const MAX_SERIES = 1_900

/** Counters that cost a map look-up when something happens; OpenTelemetry reads the sums when it collects. */
export interface Total {
  add(first: string, second?: string): void
}

type Series = readonly [first: string, second?: string]

/** `known`: series that begin at 0 instead of not being there, so that whoever watches their increase sees the first count, too. */
export function createTotal(
  meters: readonly Meter[],
  name: string,
  description: string,
  labels: Series,
  known: () => readonly Series[] = () => [],
): Total {
  const series = new Map<string, { readonly attributes: Attributes; count: number }>()
  const [firstLabel, secondLabel] = labels
  const labelled = (first: string, second: string | undefined): Attributes =>
    secondLabel === undefined ? { [firstLabel]: first } : { [firstLabel]: first, [secondLabel]: second ?? 'other' }
  const entryOf = (first: string, second: string | undefined) => {
    let key = second === undefined ? first : `${first} ${second}`
    let entry = series.get(key)
    if (entry === undefined) {
      if (series.size >= MAX_SERIES) key = 'other'
      entry = series.get(key) ?? { attributes: key === 'other' ? labelled('other', undefined) : labelled(first, second), count: 0 }
      series.set(key, entry)
    }
    return entry
  }
  for (const meter of meters) {
    meter.createObservableCounter(name, { description }).addCallback(result => {
      for (const [first, second] of known()) entryOf(first, second)
      for (const { attributes, count } of series.values()) result.observe(count, attributes)
    })
  }
  return {
    add(first, second) {
      entryOf(first, second).count += 1
    },
  }
}
