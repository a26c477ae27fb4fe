import { fileURLToPath } from 'node:url'
import type { Line, LineEvents, LineExchange } from '../../../src/upstream/line.ts'
import type { PostError } from '../../../src/upstream/post.ts'
import type { StdioTransport } from '../../../src/upstream/stdio/process-group.ts'
import { createProcesses, type Processes, type ProcessOptions } from '../../../src/upstream/stdio/processes.ts'
import { configOf } from '../room.ts'

export const PEER = fileURLToPath(new URL('./peer.mjs', import.meta.url))

/** The peer with this behaviour. */
export const transportOf = (what: string, changes: Partial<StdioTransport> = {}, ...args: string[]): StdioTransport => ({
  kind: 'stdio',
  command: [process.execPath, PEER, what, ...args],
  environment: {},
  secrets: [],
  directory: undefined,
  processes: 1,
  logsStderr: true,
  ...changes,
})

type Limits = Partial<Parameters<typeof configOf>[1]>

export interface Heard extends LineEvents {
  readonly messages: Record<string, unknown>[]
  readonly failures: { readonly id: number; readonly error: PostError }[]
  readonly down: Error[]
  readonly channel: string[]
  /** Runs for each message, before it is kept. */
  onEach: (message: Record<string, unknown>) => Promise<boolean> | boolean
  onAnswer: (id: unknown) => void
}

export function listener(): Heard {
  const heard: Heard = {
    messages: [],
    failures: [],
    down: [],
    channel: [],
    onEach: () => true,
    onAnswer: () => {},
    onMessage(data) {
      const message = JSON.parse(String(data)) as Record<string, unknown>
      const taken = heard.onEach(message)
      heard.messages.push(message)
      heard.onAnswer(message.id)
      return taken
    },
    onEnd() {},
    onFailure: (id, error) => heard.failures.push({ id, error: error as PostError }),
    onDown: error => heard.down.push(error),
    onSessionLost() {},
    onChannel: state => heard.channel.push(state),
  }
  return heard
}

export interface Told {
  readonly logs: string[]
  readonly reports: { readonly event: string; readonly [fact: string]: string | number }[]
}

export interface Scene extends Told {
  readonly processes: Processes
  open(waitMs?: number): Promise<OpenLine>
}

export interface OpenLine {
  readonly line: Line
  readonly heard: Heard
  /** Sends a request; it fails after 10 s unless told otherwise. */
  send(id: number, method: string, params?: unknown, timeoutMs?: number): LineExchange
}

export function createScene(transport: StdioTransport, limits: Limits = {}, options: ProcessOptions = {}): Scene {
  const logs: string[] = []
  const reports: Told['reports'] = []
  const processes = createProcesses(
    { ...configOf('stdio:x', limits), transport },
    { log: line => logs.push(line), report: (event, facts) => reports.push({ event, ...facts }), ...options },
  )
  return {
    processes,
    logs,
    reports,
    async open(waitMs = 10_000) {
      const heard = listener()
      const line = await processes.open(heard, waitMs)
      const exchanges = new Map<unknown, LineExchange>()
      heard.onAnswer = id => exchanges.get(id)?.stop()
      return {
        line,
        heard,
        send(id, method, params = {}, timeoutMs = 10_000) {
          const exchange = line.send({ id, text: JSON.stringify({ jsonrpc: '2.0', id, method, params }), headers: [], timeoutMs })
          exchanges.set(id, exchange)
          return exchange
        },
      }
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
