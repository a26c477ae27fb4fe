/** Calls of one upstream that wait for a person. Each keeps a connection, so that half of them are left for those who wait for nobody. */
export class Holds {
  readonly #max: number
  #count = 0

  constructor(maxConnections: number) {
    this.#max = Math.max(1, Math.floor(maxConnections / 2))
  }

  /** False: no more may wait. */
  take(): boolean {
    if (this.#count >= this.#max) return false
    this.#count += 1
    return true
  }

  release(): void {
    this.#count -= 1
  }
}
