/** Whoever waits goes on when it rings, or after a while; what rang since the last time one went on counts, too. */
export class Bell {
  #hasRung = false
  #goOn: (() => void) | undefined

  ring(): void {
    this.#hasRung = true
    this.#goOn?.()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms).unref()
        this.#goOn = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#goOn = undefined
    }
    this.#hasRung = false
  }
}
