import type { Fault, Note } from '../policy/index.ts'

/** SARIF 2.1.0, the form in which code hosts show findings beside the changed lines. */
export function formatSarif(faults: readonly Fault[], notes: readonly Note[]): string {
  const results = [...faults.map(fault => resultOf(fault, fault.code, 'error')), ...notes.map(note => resultOf(note, 'approved', 'note'))]
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort().map(id => ({ id }))
  const driver = { name: 'wicketgate check', rules }
  const log = { version: '2.1.0', $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [{ tool: { driver }, results }] }
  return JSON.stringify(log, null, 2)
}

function resultOf({ file, line, column, message }: Note, ruleId: string, level: 'error' | 'note') {
  const artifactLocation = { uri: file, uriBaseId: 'POLICIES' }
  const physicalLocation = { artifactLocation, region: { startLine: line, startColumn: column } }
  return { ruleId, level, message: { text: message }, locations: [{ physicalLocation }] }
}
