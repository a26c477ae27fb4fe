import type { LogLevel } from '../core/model.ts'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

const RANK: ReadonlyMap<unknown, number> = new Map(LEVELS.map((level, rank) => [level, rank]))

export function isLogLevel(value: unknown): value is LogLevel {
  return RANK.has(value)
}

/** Whether a message of this level was asked for by a caller who wants `wanted` and above. */
export function isLoud(level: LogLevel, wanted: LogLevel): boolean {
  return (RANK.get(level) ?? 0) >= (RANK.get(wanted) ?? 0)
}
