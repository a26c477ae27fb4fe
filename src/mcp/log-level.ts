/** RFC 5424 severities, least first (MCP 2026-07-28 server/utilities/logging §Log Levels). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type LogLevel = (typeof LEVELS)[number]

const RANK: ReadonlyMap<unknown, number> = new Map(LEVELS.map((level, rank) => [level, rank]))

export function isLogLevel(value: unknown): value is LogLevel {
  return RANK.has(value)
}

/** Whether a message of this level was asked for by a caller who wants `wanted` and above. */
export function isLoud(level: LogLevel, wanted: LogLevel): boolean {
  return (RANK.get(level) ?? 0) >= (RANK.get(wanted) ?? 0)
}
