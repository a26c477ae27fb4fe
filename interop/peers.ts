import type { Arguments, Plan } from './plan.ts'

/** Where a server is reached. */
export type Target =
  | { readonly kind: 'http' | 'sse'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: readonly [string, ...string[]] }

/** An official client, or one of another making. */
export interface Caller {
  readonly name: string
  /** Packages with their versions, as the document names them. */
  readonly version: string
  /** Questions are answered with `answer`. */
  connect(target: Target, answer: Arguments): Promise<Connection>
}

/** One client at one server. Whatever the server or the client refuses is thrown. */
export interface Connection {
  listTools(): Promise<readonly string[]>
  listResources(): Promise<readonly string[]>
  listPrompts(): Promise<readonly string[]>
  callTool(name: string, args: Arguments): Promise<Called>
  /** Gives the call up when the signal says so. Whether its answer came before that. */
  cancelTool(name: string, args: Arguments, signal: AbortSignal): Promise<boolean>
  readResource(uri: string): Promise<string>
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

export interface Called {
  readonly text: string
  readonly isError: boolean
  /** How many notifications of progress came before the answer. */
  readonly progress: number
}

/** A kind of server, reached in one way. */
export interface Upstream {
  /** Also its alias in the gateway. */
  readonly alias: string
  readonly name: string
  readonly version: string
  readonly plan: Plan
  start(): Promise<Server>
}

export interface Server {
  readonly target: Target
  /** How many tool calls reached it until now, of whomever. */
  calls(): Promise<number>
  /** Whether it was told that one of those behind that many is given up. */
  wasCancelledSince(calls: number): Promise<boolean>
  close(): Promise<void>
}

/** What a peer needs that is not there, in words. */
export class Uninstallable extends Error {}

/** A tool's or a prompt's blocks, and a resource's contents: their texts. */
export function textOf(blocks: readonly object[]): string {
  return blocks.map(block => ('text' in block ? String(block.text) : '')).join('\n')
}
