/** `wicketgate serve` that waits longer for its store: a machine that runs everything at once is slower than the shipped one waits. */
import { Command } from 'commander'
import { registerServe } from '../../src/cli/serve.ts'
import { serve } from '../../src/serve.ts'

const io = {
  environment: process.env,
  stdout: (text: string) => process.stdout.write(text),
  stderr: (text: string) => process.stderr.write(text),
  setExitCode: (code: number) => {
    process.exitCode = code
  },
  showsColor: false,
}
const program = new Command('wicketgate')
const storeTimeoutMs = Number(process.env.STORE_TIMEOUT_MS)
registerServe(program, io, (settings, environment) => serve(settings, environment, { firstLookMs: 30_000, storeTimeoutMs }))
await program.parseAsync()
