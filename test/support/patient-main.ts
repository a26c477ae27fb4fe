/** `wicketgate serve` that is not about deadlines: a machine that runs everything at once is slower than the product waits. */
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
registerServe(program, io, (settings, environment) => serve(settings, environment, { firstLookMs: 30_000, storeTimeoutMs: 30_000 }))
await program.parseAsync()
