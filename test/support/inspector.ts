import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The official inspector as a person uses it in a shell, in the modern era, against one server. */
export interface Inspector {
  /** One request of `inspector --cli`: its result. */
  cli(method: string, ...words: readonly string[]): Promise<Record<string, unknown>>
  /** A command of `mcpdo`, the inspector's other program, over the one connection that it holds open. `--cli` neither completes nor listens. */
  do(...words: readonly string[]): Promise<Record<string, unknown>>
  /** A command of `mcpdo` that goes on: each thing that it says. */
  follow(...words: readonly string[]): Following
  close(): Promise<void>
}

export interface Following {
  readonly said: readonly unknown[]
  end(): void
}

const CLIENTS = new URL('../../node_modules/@modelcontextprotocol/inspector/clients/', import.meta.url)
const CLI = fileURLToPath(new URL('launcher/build/index.js', CLIENTS))
const MCPDO = fileURLToPath(new URL('mcpdo/build/mcp-bin.js', CLIENTS))
const run = promisify(execFile)

export async function startInspector(url: string, token: string): Promise<Inspector> {
  const home = await mkdtemp(join(tmpdir(), 'wicketgate-inspector-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    MCP_INSPECTOR_DAEMON_DIR: join(home, 'daemon'),
    MCP_INSPECTOR_DAEMON_TOKEN: randomBytes(32).toString('hex'),
    // Its other choice is the desktop's keychain, through a native add-on.
    MCP_INSPECTOR_SECRET_STORE: 'file',
  }
  const reach = ['--transport', 'http', '--header', `Authorization: Bearer ${token}`]
  const following: ChildProcess[] = []
  const answered = async (words: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await run(process.execPath, words, { env })).stdout)
  const mcpdo = (words: readonly string[]): string[] => [MCPDO, '--format', 'json', '--connection', 'gateway', ...words]
  await answered(mcpdo(['connect', '--era', 'modern', ...reach, '--server-url', url]))
  return {
    async cli(method, ...words) {
      const asked = ['--cli', url, ...reach, '--protocol-era', 'modern', '--format', 'json', '--method', method]
      return (await answered([CLI, ...asked, ...words])).result as Record<string, unknown>
    },
    do: (...words) => answered(mcpdo(words)),
    follow(...words) {
      const child = spawn(process.execPath, mcpdo(words), { env, stdio: ['ignore', 'pipe', 'inherit'] })
      following.push(child)
      const said: unknown[] = []
      let text = ''
      // Each thing is an object over several lines; only its last line is a brace alone.
      createInterface(child.stdout).on('line', line => {
        text += line
        if (line !== '}') return
        said.push(JSON.parse(text))
        text = ''
      })
      return { said, end: () => void child.kill('SIGINT') }
    },
    async close() {
      for (const child of following) child.kill('SIGKILL')
      await run(process.execPath, [MCPDO, 'daemon', 'stop'], { env })
      // Its daemon may not have written its last word yet.
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
