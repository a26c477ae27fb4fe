/** Asks again and again until the answer is yes; a test's own time limit is the bound on how long. */
export async function eventually(isSo: () => boolean | Promise<boolean>, everyMs = 5): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, everyMs))
}

export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** Something that waits until a test says go. */
export function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}
