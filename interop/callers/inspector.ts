import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Caller, type Connection, type Target, textOf } from '../peers.ts'
import { versionOf } from '../versions.ts'

const CLI = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

/** The official inspector as a person types it: a process for each request, in the era that it takes by itself. */
export const inspectorCaller: Caller = {
  name: 'inspector --cli',
  version: versionOf('@modelcontextprotocol/inspector'),
  async connect(target) {
    const home = await mkdtemp(join(tmpdir(), 'wicketgate-inspector-'))
    return { ...connectionTo(target, home), close: () => rm(home, { recursive: true, force: true }) }
  },
}

function connectionTo(target: Target, home: string): Omit<Connection, 'close'> {
  const reach = target.kind === 'stdio' ? target.command : [target.url, '--transport', target.kind]
  const start = (method: string, words: readonly string[]): ChildProcessByStdio<null, Readable, Readable> =>
    spawn(process.execPath, [CLI, '--cli', ...reach, '--format', 'json', '--method', method, ...words], {
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const ask = async (method: string, ...words: readonly string[]): Promise<Result> => {
    const { stdout, stderr } = start(method, words)
    const [said, complained] = await Promise.all([text(stdout), text(stderr)])
    if (said.trim() !== '') return (JSON.parse(said) as { readonly result: Result }).result
    throw new Error(faultIn(complained))
  }
  const use = (name: string, args: object): string[] => ['--tool-name', name, '--tool-args-json', JSON.stringify(args)]
  return {
    listTools: async () => (await ask('tools/list')).tools?.map(({ name }) => name) ?? [],
    listResources: async () => (await ask('resources/list')).resources?.map(({ uri }) => uri) ?? [],
    listPrompts: async () => (await ask('prompts/list')).prompts?.map(({ name }) => name) ?? [],
    async callTool(name, args) {
      const { content = [], isError } = await ask('tools/call', ...use(name, args))
      return { text: textOf(content), isError: isError === true, progress: 0 }
    },
    // What somebody does who is tired of waiting.
    async cancelTool(name, args, signal) {
      const child = start('tools/call', use(name, args))
      child.stderr.resume()
      signal.addEventListener('abort', () => child.kill('SIGINT'))
      return (await text(child.stdout)).trim() !== ''
    },
    readResource: async uri => textOf((await ask('resources/read', '--uri', uri)).contents ?? []),
    async getPrompt(name, args) {
      const words = Object.entries(args).flatMap(([key, value]) => ['--prompt-args', `${key}=${value}`])
      return textOf(((await ask('prompts/get', '--prompt-name', name, ...words)).messages ?? []).map(message => message.content))
    },
  }
}

interface Result {
  readonly tools?: readonly { readonly name: string }[]
  readonly resources?: readonly { readonly uri: string }[]
  readonly prompts?: readonly { readonly name: string }[]
  readonly content?: readonly object[]
  readonly contents?: readonly object[]
  readonly messages?: readonly { readonly content: object }[]
  readonly isError?: boolean
}

/** Its last line is an envelope; before it stands what the server's process said. */
function faultIn(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? ''
  return line.startsWith('{') ? (JSON.parse(line) as { readonly error: { readonly message: string } }).error.message : line
}
