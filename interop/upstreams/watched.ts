import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../examples/demo/free-port.ts'
import type { Server } from '../peers.ts'
import { startHttpTap } from '../tap-http.ts'
import { createWitness, type Witness } from '../witness.ts'

const TAP = fileURLToPath(new URL('../tap-stdio.ts', import.meta.url))
const START_MS = 30_000

/** A server over HTTP that is there, watched. */
export async function watchHttp(kind: 'http' | 'sse', url: string, stop: () => Promise<void>): Promise<Server> {
  const witness = createWitness()
  const tap = await startHttpTap(url, witness)
  return {
    target: { kind, url: tap.url },
    calls: async () => witness.calls,
    wasCancelledSince: async calls => witness.wasCancelledSince(calls),
    async close() {
      await tap.close()
      await stop()
    },
  }
}

/** A program that serves HTTP on a port it is told, as a process of its own, watched. */
export async function startProgram(
  kind: 'http' | 'sse',
  path: string,
  start: (port: number) => { readonly command: readonly [string, ...string[]]; readonly env?: Readonly<Record<string, string>> },
): Promise<Server> {
  const port = await freePort()
  const { command, env } = start(port)
  const [program, ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  await answers(port, child)
  return watchHttp(kind, `http://127.0.0.1:${port}${path}`, async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
}

/** A program over stdio: whoever uses it starts it, with a tap before it. */
export async function watchStdio(command: readonly [string, ...string[]]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-interop-'))
  const witness = createWitness()
  const seen = new Map<string, number>()
  /** What was said since it was last looked: each process has a file, and is a session of its own. */
  const look = async (): Promise<Witness> => {
    for (const name of await readdir(folder)) {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1)
      for (const line of lines.slice(seen.get(name) ?? 0)) witness.saw(name, line)
      seen.set(name, lines.length)
    }
    return witness
  }
  return {
    target: { kind: 'stdio', command: [process.execPath, TAP, folder, ...command] },
    calls: async () => (await look()).calls,
    wasCancelledSince: async calls => (await look()).wasCancelledSince(calls),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`it does not listen after ${START_MS} ms`)
}
