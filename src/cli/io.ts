/** 1: it could not be done. 2: a file has faults. 3: a person must look. */
export const EXIT = { failed: 1, faults: 2, review: 3 } as const

/** What a command may use of the process; a test hands in its own. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>
  stdout(text: string): void
  stderr(text: string): void
  /** The process ends with this code once the command is done. */
  setExitCode(code: number): void
  /** True where `stdout` is a terminal that shows colours. Default: false. */
  readonly showsColor?: boolean
}
