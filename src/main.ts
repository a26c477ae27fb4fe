import { Command } from 'commander'
import { registerCheck } from './cli/check.ts'
import { registerExplain } from './cli/explain.ts'
import { registerInit } from './cli/init.ts'
import { type CommandIo, EXIT } from './cli/io.ts'
import { registerPins } from './cli/pins.ts'
import { registerServe } from './cli/serve.ts'
import { registerTest } from './cli/test.ts'
import { connectUpstreams } from './connect-upstreams.ts'
import { PRODUCT } from './core/product.ts'
import { explainArguments } from './validation/index.ts'

// CEL's clock times are worked out by way of this process's time zone, which may skip an hour or shift a day. All that we write is UTC.
process.env.TZ = 'UTC'

const io: CommandIo = {
  environment: process.env,
  stdout: text => process.stdout.write(text),
  stderr: text => process.stderr.write(text),
  setExitCode: code => {
    process.exitCode = code
  },
  showsColor: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
}

// Whoever read our words may be gone; unheard, that error would end a gateway that others depend on.
process.stderr.on('error', () => {})

const program = new Command('wicketgate')
  .description('A security gateway in front of MCP servers.')
  .version(PRODUCT.version)
  // A flag that does not exist is a fault in what was written, as a bad value is.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT.faults))
// Loaded when it is asked for: the other commands need neither Fastify nor Redis nor metrics.
registerServe(program, io, async (settings, environment) => (await import('./serve.ts')).serve(settings, environment))
registerInit(program, io, connectUpstreams)
registerPins(program, io, connectUpstreams)
registerCheck(program, io)
registerTest(program, io)
registerExplain(program, io, explainArguments)

await program.parseAsync()
