export interface AuditRecord {
  readonly kind: 'request' | 'intent' | 'event'
  readonly subject?: string
  readonly httpMethod?: string
  readonly method?: string
  readonly exposedName?: string
  readonly outcome?: string
  readonly effectStatus?: string
  readonly idempotency?: string
}

/** The records that are complete: the last line may still be under way. */
export function readTrail(text: string): readonly AuditRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as AuditRecord)
}

/** Who, what, decision, effect; equal lines once, with how often. A replay had its effect before, and is a line of its own. */
export function auditTable(text: string): string {
  const times = new Map<string, number>()
  for (const { kind, subject = '-', httpMethod, method, exposedName, outcome = '', effectStatus = '', idempotency } of readTrail(text)) {
    if (kind !== 'request') continue
    const cells = [
      subject.padEnd(5),
      (nameOf(outcome, exposedName) ?? method ?? `HTTP ${httpMethod}`).padEnd(28),
      (idempotency === 'replay' ? `${outcome}, replayed` : outcome).padEnd(24),
      effectStatus.padEnd(12),
    ]
    const line = cells.join('  ')
    times.set(line, (times.get(line) ?? 0) + 1)
  }
  const head = ['who'.padEnd(5), 'what'.padEnd(28), 'decision'.padEnd(24), 'effect'.padEnd(12), 'times'].join('  ')
  return [head, ...[...times].map(([line, count]) => `${line}  ${count}`)].map(line => `     ${line}\n`).join('')
}

/** Names that nobody answers to count together. */
function nameOf(outcome: string, exposedName: string | undefined): string | undefined {
  return outcome.startsWith('CATALOG_UNKNOWN') ? exposedName?.replace(/__.*/, '__…') : exposedName
}
