import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Called, Caller } from '../peers.ts'
import type { Python } from '../python.ts'

const script = (name: string): string => fileURLToPath(new URL(`../python/${name}.py`, import.meta.url))

type Answer<T> = { readonly value: T } | { readonly fault: string }

/** The official client for Python of today, which asks the server its era, or says `initialize` at once. */
export function createPythonCaller(python: Python, mode: 'auto' | 'legacy'): Caller {
  return { name: `Python mcp, ${mode}`, ...callerOf(python, 'client', { mode }) }
}

/** Likewise from before 2026-07-28. */
export function createEarlierPythonCaller(python: Python): Caller {
  return { name: 'Python mcp 1', ...callerOf(python, 'client_earlier', {}) }
}

/** In a process of its own that is worked by lines. */
function callerOf(python: Python, name: string, options: object): Omit<Caller, 'name'> {
  return {
    version: python.versionOf('mcp'),
    async connect(target, answer) {
      const child = spawn(python.executable, [script(name)], { stdio: ['pipe', 'pipe', 'ignore'] })
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      const ask = async <T>(order: object): Promise<T> => {
        child.stdin.write(`${JSON.stringify(order)}\n`)
        const { value: line } = await lines.next()
        if (line === undefined) throw new Error('the client has ended')
        const said = JSON.parse(line) as Answer<T>
        if ('fault' in said) throw new Error(said.fault)
        return said.value
      }
      await ask({ ...target, ...options, answer })
      return {
        listTools: () => ask({ do: 'list' }),
        listResources: () => ask({ do: 'resources' }),
        listPrompts: () => ask({ do: 'prompts' }),
        callTool: (name, args) => ask<Called>({ do: 'call', name, arguments: args }),
        cancelTool(name, args, signal) {
          // It waits for another line, and gives up then what has not ended by then.
          signal.addEventListener('abort', () => child.stdin.write('{}\n'))
          return ask<boolean>({ do: 'cancel', name, arguments: args })
        },
        readResource: uri => ask({ do: 'read', uri }),
        getPrompt: (name, args) => ask({ do: 'prompt', name, arguments: args }),
        async close() {
          child.stdin.end()
          const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
          if (child.exitCode === null) await once(child, 'exit')
          clearTimeout(timer)
        },
      }
    },
  }
}
