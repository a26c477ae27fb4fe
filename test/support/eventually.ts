/** Asks again and again until the answer is yes; a test's own time limit is the bound on how long. */
export async function eventually(isSo: () => boolean | Promise<boolean>, everyMs = 5): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, everyMs))
}

/** Less than the time limit of a test, which would not say what does not hold; far more than anything takes, however busy the machine is. */
const PATIENCE_MS = 45_000

/** Asserts again and again until all of it holds; throws what the last time threw. */
export async function eventuallyHolds<T>(assert: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await assert()
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
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
