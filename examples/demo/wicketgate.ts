import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly output: string
}

/** The real command in a process of its own, with nothing of our environment but what is given. */
export interface Wicketgate {
  run(...words: readonly string[]): Promise<Run>
  /** `wicketgate serve …`; resolves when it listens. */
  serve(...words: readonly string[]): Promise<RunningGateway>
}

export interface RunningGateway {
  /** Rejects when the process ends by itself. */
  readonly ended: Promise<never>
  close(): Promise<void>
}

export function createWicketgate(policies: string, variables: Readonly<Record<string, string>>): Wicketgate {
  const start = (words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [MAIN, ...words, '--policies', policies], {
      env: { PATH: process.env.PATH, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    async run(...words) {
      const child = start(words)
      const output = collect(child)
      const [code] = await once(child, 'close')
      return { code, output: output() }
    },
    async serve(...words) {
      const child = start(['serve', ...words])
      const output = collect(child)
      const closed = once(child, 'close')
      const ended = closed.then(() => Promise.reject(new Error(`the gateway ended:\n${output()}`)))
      // Whoever waits on it hears of it; while nobody does, it is no error.
      ended.catch(() => {})
      while (!output().includes('wicketgate listens on')) await Promise.race([once(child.stderr ?? child, 'data'), ended])
      return {
        ended,
        async close() {
          child.kill('SIGTERM')
          await closed
        },
      }
    },
  }
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  return () => output
}
