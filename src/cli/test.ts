import type { Command } from 'commander'
import { visible } from '../core/visible.ts'
import { type CaseWord, runTests } from '../policy/index.ts'
import { reportFailures } from './command-failed.ts'
import { counted } from './counted.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, loadFolder, pathOf } from './policy-folder.ts'

/** `wicketgate test`: runs `tests/*.yaml`. Exit code 1 when a case fails, 2 when the folder has faults. */
export function registerTest(program: Command, io: CommandIo): void {
  program
    .command('test')
    .description('run the cases in tests/*.yaml of the policy folder')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .action(({ policies }: { readonly policies: string }) =>
      reportFailures(io, policies, async () => {
        const { passed, failed, notes } = runTests(await loadFolder(policies, io, 'skip'))
        const say = (word: string) => (each: CaseWord) =>
          io.stdout(`${visible(`${pathOf(policies, each.file)}:${each.line}  ${word}${each.message}`)}\n`)
        notes.forEach(say('note: '))
        failed.forEach(say(''))
        const total = `${counted(passed, 'case')} passed`
        io.stdout(failed.length === 0 ? `${total}\n` : `\n${total}, ${failed.length} failed\n`)
        if (failed.length > 0) io.setExitCode(EXIT.failed)
      }),
    )
}
