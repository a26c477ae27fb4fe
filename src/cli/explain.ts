import type { Command } from 'commander'
import type { Configuration } from '../core/configuration.ts'
import { isJsonObject, type JsonObject, parseJsonText } from '../core/json.ts'
import { visible } from '../core/visible.ts'
import { type Explanation, explain, findCaller } from '../policy/index.ts'
import { loadApproved } from './approved.ts'
import { CommandFailed, reportFailures } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, loadFolder } from './policy-folder.ts'

interface ExplainOptions {
  readonly policies: string
  readonly as: string
  readonly call: string
  readonly json?: true
}

/** Why arguments do not fit a descriptor's schema, or `undefined`. Handed in by main, so that commands know of no other room. */
export type ExplainArguments = (descriptor: JsonObject, value: JsonObject) => string | undefined

/** `wicketgate explain`: what policy says of one call, and why. Exit code 0 whatever it says, 2 for faults and bad input. */
export function registerExplain(program: Command, io: CommandIo, explainArguments: ExplainArguments): void {
  program
    .command('explain')
    .description('show each condition of a tool with its outcome, for one caller and one call')
    .requiredOption('--as <caller>', 'a caller named in tests/*.yaml, "anonymous", or one as JSON: {"scopes":[…],"claims":{…}}')
    .requiredOption('--call <tool>', 'exposed name of the tool')
    .argument('[arguments]', 'arguments of the call, as JSON', '{}')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .option('--json', 'print the explanation as JSON')
    .action((text: string, options: ExplainOptions) =>
      reportFailures(io, options.policies, async () => {
        const args = readObject(text)
        const as = options.as.startsWith('{') ? readObject(options.as) : options.as
        if (args === undefined) throw new CommandFailed('the arguments are not a JSON object', EXIT.faults)
        const loaded = await loadFolder(options.policies, io, 'skip')
        const caller = as === undefined ? undefined : findCaller(loaded, as, options.call)
        if (caller === undefined) throw new CommandFailed(NO_CALLER, EXIT.faults)
        const explanation = explain(loaded, caller, options.call, args)
        const schema = await explainSchema(loaded.configuration, explanation, descriptor => explainArguments(descriptor, args))
        io.stdout(options.json === true ? `${JSON.stringify({ ...explanation, schema }, null, 2)}\n` : format(explanation, schema))
      }),
    )
}

const NO_CALLER =
  'no such caller: name one from tests/*.yaml, say anonymous where an endpoint lets such callers in, or give scopes and claims as JSON'

/** Whether the arguments fit what was approved, as far as that is known; policy decides before that. */
async function explainSchema(
  configuration: Configuration,
  { upstream }: Explanation,
  check: (descriptor: JsonObject) => string | undefined,
): Promise<string | undefined> {
  if (upstream === undefined) return undefined
  const { alias, name } = upstream
  const approved = await loadApproved(configuration, alias)
  if (approved === undefined)
    return `arguments not checked: pins/${alias}.lock.json does not exist, so nothing is approved and nothing can be called`
  const item = approved.byName.get(name)
  if (item === undefined) return 'arguments not checked: this tool is not approved, so callers are told that it is unknown'
  const unfit = check(item.descriptor)
  return unfit === undefined ? 'the arguments fit the approved schema' : `VALIDATION_ARGUMENTS by the approved schema: ${unfit}`
}

function readObject(text: string): JsonObject | undefined {
  try {
    const { value } = parseJsonText(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function format({ tool, decision, address, scopes, rules }: Explanation, schema: string | undefined): string {
  const lines = [`${tool}: ${decision}${address === undefined ? ' (no entry names it)' : ` by ${address}`}`]
  if (scopes.length > 0) lines.push(`  the challenge asks for: ${scopes.join(' ')}`)
  for (const rule of rules) {
    lines.push('', `${rule.address}${rule.name === undefined ? '' : ` (${rule.name})`}`)
    if (rule.conditions.length === 0) lines.push('  no conditions: every caller that the endpoint lets in')
    for (const condition of rule.conditions) lines.push(`  ${condition.holds ? 'yes' : 'no '}  ${condition.text}  [${condition.address}]`)
  }
  if (rules.length === 0 && address !== undefined) lines.push('', 'there is no allow rule, so nobody may use it')
  if (schema !== undefined) lines.push('', ...schema.split('\n'))
  return `${lines.map(visible).join('\n')}\n`
}
