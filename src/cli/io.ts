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
