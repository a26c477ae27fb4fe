import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Connection, Server, Target } from './peers.ts'
import { ACTIONS, type Action, type Plan } from './plan.ts'

/** Whether an action came to what the plan says, and otherwise in what words it did not. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly words: string }
export type Outcomes = Readonly<Record<Action, Outcome>>

export interface Limits {
  /** The longest that one action may take. */
  readonly actionMs: number
  /** How long a slow call is let run before it is given up. */
  readonly cancelMs: number
  /** How long the server may take to be told of that; when nobody tells it, the call is over by then. */
  readonly toldMs: number
}

export const LIMITS: Limits = { actionMs: 30_000, cancelMs: 300, toldMs: 4_500 }

/** Tries every action of the plan with one client at `target`, which leads to `server`. Nothing is thrown. */
export async function tryAll(caller: Caller, target: Target, server: Server, plan: Plan, limits = LIMITS): Promise<Outcomes> {
  const outcomes = new Map<Action, Outcome>()
  let connection: Connection | undefined
  try {
    connection = await within(limits.actionMs, caller.connect(target, plan.elicitation?.answer ?? {}))
    for (const action of ACTIONS) outcomes.set(action, await tryOne(action, connection, server, plan, limits))
  } catch (error) {
    const words = `does not connect: ${wordsOf(error)}`
    for (const action of ACTIONS) outcomes.set(action, { ok: false, words })
  } finally {
    await within(limits.actionMs, connection?.close() ?? Promise.resolve()).catch(() => {})
  }
  return Object.fromEntries(outcomes) as Outcomes
}

async function tryOne(action: Action, connection: Connection, server: Server, plan: Plan, limits: Limits): Promise<Outcome> {
  try {
    const words = await within(limits.actionMs, TRIES[action](connection, plan, server, limits))
    return words === undefined ? { ok: true } : { ok: false, words }
  } catch (error) {
    return { ok: false, words: wordsOf(error) }
  }
}

/** Returns what is wrong, or nothing. */
type Try = (connection: Connection, plan: Plan, server: Server, limits: Limits) => Promise<string | undefined>

/** Where the plan has nothing for an action, the server is asked with what comes nearest. */
const TRIES: Readonly<Record<Action, Try>> = {
  list: async (connection, { call }) => missing('tools', await connection.listTools(), call.name),
  async call(connection, { call }) {
    const { text, isError } = await connection.callTool(call.name, call.arguments)
    return isError ? `a tool error: ${text}` : saysNot(text, call.says)
  },
  async error(connection, { error }) {
    const { isError } = await connection.callTool(error.name, error.arguments)
    return isError ? undefined : 'no error'
  },
  async progress(connection, { call, progress = call }) {
    const answer = await connection.callTool(progress.name, progress.arguments)
    return answer.isError ? `a tool error: ${answer.text}` : answer.progress >= 2 ? undefined : 'no progress is told'
  },
  async resource(connection, { resource }) {
    if (resource === undefined) return missing('resources', await connection.listResources())
    return saysNot(await connection.readResource(resource.uri), resource.says)
  },
  async prompt(connection, { prompt }) {
    if (prompt === undefined) return missing('prompts', await connection.listPrompts())
    return (
      missing('prompts', await connection.listPrompts(), prompt.name) ??
      saysNot(await connection.getPrompt(prompt.name, prompt.arguments), prompt.says)
    )
  },
  async elicitation(connection, { call, elicitation }) {
    const { name, arguments: args } = elicitation ?? call
    const { text } = await connection.callTool(name, args)
    return elicitation === undefined ? 'nothing is asked' : saysNot(text, elicitation.says)
  },
  async cancellation(connection, { call, slow = call }, server, { actionMs, cancelMs, toldMs }) {
    const before = await server.calls()
    const cancel = new AbortController()
    const answered = connection.cancelTool(slow.name, slow.arguments, cancel.signal)
    const isThere = until(actionMs / 2, async () => (await server.calls()) > before)
    // A client that has its answer already does not wait for the signal.
    await Promise.race([isThere.then(() => sleep(cancelMs)), answered])
    cancel.abort()
    if (await answered) return 'answers at once'
    return (await until(toldMs, () => server.wasCancelledSince(before))) ? undefined : 'the server is not told'
  },
}

async function until(forMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(50)) if (await holds()) return true
  return false
}

function missing(what: string, names: readonly string[], wanted?: string): string | undefined {
  if (wanted === undefined) return names.length > 0 ? undefined : `no ${what}`
  return names.includes(wanted) ? undefined : `no ${wanted} among the ${what}`
}

function saysNot(text: string, words: string): string | undefined {
  return text.includes(words) ? undefined : `says ${JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text)}`
}

async function within<T>(forMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${forMs / 1000} s`)), forMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** One line, and as much of it as a reader wants. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words.replaceAll(/\s+/g, ' ').slice(0, 300)
}
