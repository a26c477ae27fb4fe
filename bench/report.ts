import type { Measured } from './load.ts'

const BASELINE = 'http-proxy'
const FIGURES = ['cpu', 'rps', 'p50', 'p99'] as const

/** Median of each figure by itself. */
export function median(rounds: readonly Measured[]): Measured {
  const of = (figure: keyof Measured): number => {
    const sorted = rounds.map(round => round[figure]).sort((a, b) => a - b)
    const middle = Math.floor(sorted.length / 2)
    return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
  }
  return { cpu: of('cpu'), rps: of('rps'), p50: of('p50'), p99: of('p99') }
}

/** Each figure over the bare proxy's of the same run. */
export function toRatios(medians: Readonly<Record<string, Measured>>): Record<string, Measured> {
  const base = medians[BASELINE]
  if (base === undefined) throw new Error(`no ${BASELINE} in this run`)
  const over = (figure: keyof Measured, measured: Measured): number => Math.round((measured[figure] / base[figure]) * 1000) / 1000
  return Object.fromEntries(
    Object.entries(medians).map(([name, measured]) => [
      name,
      { cpu: over('cpu', measured), rps: over('rps', measured), p50: over('p50', measured), p99: over('p99', measured) },
    ]),
  )
}

export function printReport(
  medians: Readonly<Record<string, Measured>>,
  ratios: Readonly<Record<string, Measured>>,
  isolated: boolean,
): void {
  const row = (cells: readonly string[]): string => cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(14))).join('')
  const lines = [row(['', 'CPU/request', 'requests/s', 'p50', 'p99'])]
  for (const [name, ratio] of Object.entries(ratios)) {
    const measured = medians[name]
    if (measured === undefined) continue
    const shown = {
      cpu: `${measured.cpu.toFixed(0)} µs`,
      rps: measured.rps.toFixed(0),
      p50: `${measured.p50} ms`,
      p99: `${measured.p99} ms`,
    }
    lines.push(row([name, ...FIGURES.map(figure => `${ratio[figure].toFixed(2)} ×`)]), row(['', ...FIGURES.map(figure => shown[figure])]))
  }
  const where = isolated
    ? 'proxy and gateway on a core of their own'
    : 'no taskset: load generator and gateway share cores, trust nothing here'
  process.stdout.write(`${lines.join('\n')}\n\nRatios to the bare proxy, medians of one run; ${where}.\n`)
}
