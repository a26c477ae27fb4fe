import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { CommandFailed } from './command-failed.ts'
import type { CommandIo } from './io.ts'

export interface FormOptions {
  readonly json?: true
  readonly markdown?: true
  readonly output?: string
}

/** One review in three forms: for a terminal, for programs, for pull requests. */
export interface Forms {
  text(): string
  json(): string
  markdown(): string
}

export function addFormOptions(command: Command): Command {
  return command
    .addOption(new Option('--json', 'print JSON, as docs/pins-report.v1.json describes it').conflicts('markdown'))
    .option('--markdown', 'print Markdown for a pull request; what servers say stands in code blocks')
    .option('--output <file>', 'write JSON or Markdown to this file, and the text to the terminal')
}

export async function deliver(io: CommandIo, { json, markdown, output }: FormOptions, forms: Forms): Promise<void> {
  const asked = json === true ? forms.json() : markdown === true ? forms.markdown() : undefined
  if (output === undefined) io.stdout(asked ?? forms.text())
  else {
    if (asked === undefined) throw new CommandFailed('--output needs --json or --markdown')
    await writeFile(output, asked).catch((error: NodeJS.ErrnoException) => {
      throw new CommandFailed(`${output} cannot be written: ${error.code}`)
    })
    io.stdout(forms.text())
  }
}
