import type { Command } from 'commander'
import type { LockItem } from '../catalog/index.ts'
import { isJsonObject, type JsonObject, parseJsonText } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { visible } from '../core/visible.ts'
import { createTemplateMatcher } from '../mcp/index.ts'
import { type Asked, type Explanation, explain, findCaller, type LoadedPolicies } from '../policy/index.ts'
import { loadApproved } from './approved.ts'
import { CommandFailed, reportFailures } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, loadFolder } from './policy-folder.ts'

interface ExplainOptions {
  readonly policies: string
  readonly as: string
  readonly call?: string
  readonly get?: string
  readonly read?: string
  readonly json?: true
}

/** Why arguments do not fit a descriptor's schema, or `undefined`. Handed in by main, so that commands know of no other room. */
export type ExplainArguments = (descriptor: JsonObject, value: JsonObject) => string | undefined

/** `wicketgate explain`: what policy says of one request, and why. Exit code 0 whatever it says, 2 for faults and bad input. */
export function registerExplain(program: Command, io: CommandIo, explainArguments: ExplainArguments): void {
  program
    .command('explain')
    .description('show each condition of a tool, prompt or resource with its outcome, for one caller and one request')
    .requiredOption('--as <caller>', 'a caller named in tests/*.yaml, "anonymous", or one as JSON: {"scopes":[…],"claims":{…}}')
    .option('--call <tool>', 'exposed name of the tool')
    .option('--get <prompt>', 'exposed name of the prompt')
    .option('--read <uri>', 'exposed URI of the resource')
    .argument('[arguments]', 'arguments of the tool or prompt, as JSON', '{}')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .option('--json', 'print the explanation as JSON')
    .action((text: string, options: ExplainOptions) =>
      reportFailures(io, options.policies, async () => {
        const asked = readAsked(text, options)
        const as = options.as.startsWith('{') ? readObject(options.as) : options.as
        const loaded = await loadFolder(options.policies, io, 'skip')
        const caller = as === undefined ? undefined : findCaller(loaded, as, asked)
        if (caller === undefined) throw new CommandFailed(NO_CALLER, EXIT.faults)
        const explanation = explain(loaded, caller, asked)
        const approval = await explainApproval(loaded, caller, explanation, descriptor => explainArguments(descriptor, asked.args))
        io.stdout(options.json === true ? `${JSON.stringify({ ...explanation, approval }, null, 2)}\n` : format(explanation, approval))
      }),
    )
}

function readAsked(text: string, { call, get, read }: ExplainOptions): Asked {
  const args = readObject(text)
  if (args === undefined) throw new CommandFailed('the arguments are not a JSON object', EXIT.faults)
  const asked: readonly Asked[] = [
    ...(call === undefined ? [] : [{ kind: 'tool' as const, name: call, args }]),
    ...(get === undefined ? [] : [{ kind: 'prompt' as const, name: get, args }]),
    ...(read === undefined ? [] : [{ kind: 'resource' as const, name: read, args }]),
  ]
  const [first] = asked
  if (first === undefined || asked.length > 1) throw new CommandFailed('say one of --call, --get and --read', EXIT.faults)
  return first
}

const NO_CALLER =
  'no such caller: name one from tests/*.yaml, say anonymous where an endpoint lets such callers in, or give scopes and claims as JSON'

/** What callers meet beside policy, as far as it is known here: what was approved of it, and whether the arguments fit that. */
async function explainApproval(
  { configuration, policy }: LoadedPolicies,
  caller: PrincipalFacts,
  { kind, upstream }: Explanation,
  check: (descriptor: JsonObject) => string | undefined,
): Promise<string | undefined> {
  if (upstream === undefined) return undefined
  const { alias, name } = upstream
  const approved = await loadApproved(configuration, alias, policy.variantOf(alias, caller))
  const what = kind === 'resource' ? 'the URI is' : 'arguments'
  if (approved === undefined)
    return `${what} not checked: pins/${alias}.lock.json does not exist, so nothing is approved and nothing can be called`
  if (kind === 'resource') return explainUri(name, upstream.unlisted, approved.items)
  const item = approved.byName.get(`${kind} ${name}`)
  if (item === undefined) return `arguments not checked: this ${kind} is not approved, so callers are told that it is unknown`
  if (kind === 'prompt') return 'the prompt is approved'
  const unfit = check(item.descriptor)
  return unfit === undefined ? 'the arguments fit the approved schema' : `VALIDATION_ARGUMENTS by the approved schema: ${unfit}`
}

function explainUri(uri: string, unlisted: boolean, items: readonly LockItem[]): string {
  if (items.some(({ kind, name }) => kind === 'resource' && name === uri)) return 'the resource is approved'
  const template = items.find(({ kind, name }) => kind === 'resourceTemplate' && (name === uri || createTemplateMatcher(name)?.(uri)))
  if (template !== undefined) return `the template ${template.name} is approved, and this is one of its resources`
  return unlisted
    ? 'nothing that is approved names this URI; its entry is `unlisted: true`, so it may be read all the same'
    : 'nothing that is approved names this URI, and its entry is not `unlisted: true`, so callers are told that it is unknown'
}

function readObject(text: string): JsonObject | undefined {
  try {
    const { value } = parseJsonText(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function format({ name, meant, decision, address, scopes, rules }: Explanation, approval: string | undefined): string {
  const nobodys = `(no entry names it${meant === undefined ? '' : `; did you mean "${meant}"?`})`
  const lines = [`${name}: ${decision} ${address === undefined ? nobodys : `by ${address}`}`]
  if (scopes.length > 0) lines.push(`  the challenge asks for: ${scopes.join(' ')}`)
  for (const rule of rules) {
    lines.push('', `${rule.address}${rule.name === undefined ? '' : ` (${rule.name})`}`)
    if (rule.conditions.length === 0) lines.push('  no conditions: every caller that the endpoint lets in')
    for (const condition of rule.conditions) lines.push(`  ${condition.holds ? 'yes' : 'no '}  ${condition.text}  [${condition.address}]`)
  }
  if (rules.length === 0 && address !== undefined) lines.push('', 'there is no allow rule, so nobody may use it')
  if (approval !== undefined) lines.push('', ...approval.split('\n'))
  return `${lines.map(visible).join('\n')}\n`
}
