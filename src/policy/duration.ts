const DURATION = /^([1-9]\d{0,8})(ms|s|m|h|d)$/
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const MAX_MS = 366 * 86_400_000

/** `500ms`, `30s`, `1m`, `24h`, `7d` in milliseconds; `undefined` for anything else and for more than 366 days. */
export function parseDuration(text: string): number | undefined {
  const parts = DURATION.exec(text)
  if (parts === null) return undefined
  const milliseconds = Number(parts[1]) * (UNIT_MS[parts[2] ?? ''] ?? Number.NaN)
  return milliseconds <= MAX_MS ? milliseconds : undefined
}
