import type { Command } from 'commander'
import { isJsonObject, type JsonObject, parseJsonText } from '../core/json.ts'
import { visible } from '../core/visible.ts'
import { type Explanation, explain, findCaller } from '../policy/index.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, loadFolderOrReport } from './policy-folder.ts'

interface ExplainOptions {
  readonly policies: string
  readonly as: string
  readonly call: string
  readonly json?: true
}

/** `wicketgate explain`: what policy says of one call, and why. Exit code 0 whatever it says, 2 for faults and bad input. */
export function registerExplain(program: Command, io: CommandIo): void {
  program
    .command('explain')
    .description('show each condition of a tool with its outcome, for one caller and one call')
    .requiredOption('--as <caller>', 'a caller named in tests/*.yaml, or one as JSON: {"scopes":[…],"claims":{…}}')
    .requiredOption('--call <tool>', 'exposed name of the tool')
    .argument('[arguments]', 'arguments of the call, as JSON', '{}')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .option('--json', 'print the explanation as JSON')
    .action(async (text: string, options: ExplainOptions) => {
      const args = readObject(text)
      const as = options.as.startsWith('{') ? readObject(options.as) : options.as
      if (args === undefined) return refuse(io, 'the arguments are not a JSON object')
      const loaded = await loadFolderOrReport(options.policies, io)
      if (loaded === undefined) return
      const caller = as === undefined ? undefined : findCaller(loaded, as)
      if (caller === undefined) return refuse(io, 'no such caller: name one from tests/*.yaml, or give scopes and claims as JSON')
      const explanation = explain(loaded, caller, options.call, args)
      io.stdout(options.json === true ? `${JSON.stringify(explanation, null, 2)}\n` : format(explanation))
    })
}

function readObject(text: string): JsonObject | undefined {
  try {
    const { value } = parseJsonText(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(io: CommandIo, message: string): void {
  io.stderr(`${message}\n`)
  io.setExitCode(EXIT.faults)
}

function format({ tool, decision, address, scopes, rules }: Explanation): string {
  const lines = [`${tool}: ${decision}${address === undefined ? ' (no entry names it)' : ` by ${address}`}`]
  if (scopes.length > 0) lines.push(`  the challenge asks for: ${scopes.join(' ')}`)
  for (const rule of rules) {
    lines.push('', `${rule.address}${rule.name === undefined ? '' : ` (${rule.name})`}`)
    if (rule.conditions.length === 0) lines.push('  no conditions: every caller with a valid token')
    for (const condition of rule.conditions) lines.push(`  ${condition.holds ? 'yes' : 'no '}  ${condition.text}  [${condition.address}]`)
  }
  if (rules.length === 0 && address !== undefined) lines.push('', 'there is no allow rule, so nobody may use it')
  return `${lines.map(visible).join('\n')}\n`
}
