import { z } from 'zod'
import { argumentProblem, directoryProblem, environmentNameProblem, passedNameProblem, programProblem } from '../stdio-rules.ts'
import { countSchema, textSchema } from './scalars.ts'

const wordSchema = textSchema(argumentProblem)

export const stdioSchema = z
  .strictObject({
    command: z
      .array(wordSchema, {
        error: ({ code }) => (code === 'invalid_type' ? 'a command is a list of words: the program, then its arguments' : undefined),
      })
      .min(1)
      .max(256)
      .superRefine(([program], context) => {
        const message = program === undefined ? undefined : programProblem(program)
        if (message !== undefined) context.addIssue({ code: 'custom', path: [0], message })
      })
      .describe(
        'The program, by its absolute path or by a name that PATH finds, and its arguments; no shell reads them. Part of every pin, so no secret belongs into it.',
      ),
    environment: z
      .record(textSchema(environmentNameProblem), wordSchema)
      .default({})
      .describe(`Variables of its environment; for secrets write \${file:/path} or \${NAME}. Default: none.`),
    passEnvironment: z
      .array(textSchema(passedNameProblem))
      .default([])
      .describe('Variables it is given from our own environment where they are set there, besides those every process has. Default: none.'),
    directory: textSchema(directoryProblem).optional().describe('Where it runs, an absolute path. Default: where the gateway runs.'),
    processes: countSchema(64).default(1).describe('How many of it run at once; calls are spread over them. Default: 1.'),
    stderr: z
      .enum(['log', 'drop'])
      .default('log')
      .describe("What becomes of what it writes to stderr: lines on the gateway's own stderr, or nothing. Default: log."),
  })
  .describe('A program that is run and spoken to through its pipes.')

export type StdioEntry = z.output<typeof stdioSchema>
