/** Work of one owner goes one after the other, that of several at the same time. */
export interface Turns {
  take<T>(owner: string, work: () => Promise<T>): Promise<T>
}

/**
 * For what may be large on a connection that is everybody's: whoever sends behind it waits for all of it, and gives the store up for lost
 * when that takes too long. So nobody has more of it on its way than one piece.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(owner, work) {
      const done = last.get(owner)?.then(work, work) ?? work()
      const leave = (): void => {
        if (last.get(owner) === turn) last.delete(owner)
      }
      const turn = done.then(leave, leave)
      last.set(owner, turn)
      return done
    },
  }
}
