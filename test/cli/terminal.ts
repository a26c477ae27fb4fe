import { Command } from 'commander'
import type { Connect } from '../../src/cli/connect.ts'
import { registerInit } from '../../src/cli/init.ts'
import { registerPins } from '../../src/cli/pins.ts'
import { discover, fetchList } from '../catalog/stub.ts'

export interface Run {
  readonly out: string
  readonly err: string
  readonly code: number
}

export const connect: Connect = ({ upstreams }) => ({
  fetchList: (alias, kind, cursor) => fetchList(upstreams.get(alias)?.url ?? '', kind, cursor),
  discover: alias => discover(upstreams.get(alias)?.url ?? ''),
  close: () => Promise.resolve(),
})

/** Lines as they were before they were broken for narrow terminals, between words. */
export const unfolded = (text: string): string => text.replaceAll(/\n *↳ /g, ' ')

/** Runs the commands as a shell would, with an environment of its own. */
export async function wicketgate(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = { USER: 'ann' },
  reach: Connect = connect,
): Promise<Run> {
  let [out, err, code] = ['', '', 0]
  const io = {
    environment,
    stdout: (text: string) => {
      out += text
    },
    stderr: (text: string) => {
      err += text
    },
    setExitCode: (next: number) => {
      code = next
    },
  }
  const program = new Command('wicketgate').exitOverride().configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
  registerPins(program, io, reach)
  registerInit(program, io, reach)
  await program.parseAsync(words, { from: 'user' })
  return { out, err, code }
}
