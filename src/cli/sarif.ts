import type { Fault } from '../policy/index.ts'

/** SARIF 2.1.0, the form in which code hosts show findings beside the changed lines. */
export function formatSarif(faults: readonly Fault[]): string {
  const rules = [...new Set(faults.map(fault => fault.code))].sort().map(id => ({ id }))
  const results = faults.map(fault => ({
    ruleId: fault.code,
    level: 'error',
    message: { text: fault.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: fault.file, uriBaseId: 'POLICIES' },
          region: { startLine: fault.line, startColumn: fault.column },
        },
      },
    ],
  }))
  const driver = { name: 'wicketgate check', rules }
  const log = { version: '2.1.0', $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [{ tool: { driver }, results }] }
  return JSON.stringify(log, null, 2)
}
