import { Refusal } from '../../src/core/errors.ts'

/** The refusal that a function throws; fails where it throws none. */
export function refusalOf(run: () => unknown): Refusal {
  try {
    run()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}

/** The refusal that a promise rejects with. */
export async function refusalIn(attempt: Promise<unknown>): Promise<Refusal> {
  const settled = await attempt.then(
    () => () => {},
    error => () => {
      throw error
    },
  )
  return refusalOf(settled)
}
