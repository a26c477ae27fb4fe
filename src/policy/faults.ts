import { compareTexts } from '../core/order.ts'
import { visible } from '../core/visible.ts'

/** What kind of fault it is; SARIF's rule id. */
export type FaultCode =
  | 'file'
  | 'yaml'
  | 'schema'
  | 'unknown-key'
  | 'variable'
  | 'value'
  | 'reference'
  | 'conflict'
  | 'cel'
  | 'anonymous'
  | 'not-in-this-version'

/** One mistake in a policy file. `file` is relative to the policy directory; line and column count from 1. */
export interface Fault {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly code: FaultCode
}

/** The policy set cannot be used. Carries every fault of every file, sorted. */
export class PolicyFaults extends Error {
  override readonly name = 'PolicyFaults'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    const sorted = sortFaults(faults)
    super(formatFaults(sorted))
    this.faults = sorted
  }
}

/** One `file:line:column  message` per line. Both hold words of a file that nobody may have reviewed yet: they cannot begin a line, or speak to a terminal. */
export function formatFaults(faults: readonly Omit<Fault, 'code'>[]): string {
  return faults.map(fault => visible(`${fault.file}:${fault.line}:${fault.column}  ${fault.message}`)).join('\n')
}

function sortFaults(faults: readonly Fault[]): readonly Fault[] {
  const sorted = faults.toSorted(
    (a, b) => compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column || compareTexts(a.message, b.message),
  )
  return sorted.filter((fault, index) => {
    const before = sorted[index - 1]
    return before?.file !== fault.file || before.line !== fault.line || before.column !== fault.column || before.message !== fault.message
  })
}
