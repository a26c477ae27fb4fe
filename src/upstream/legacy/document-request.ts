import { invalidAnswer, type LegacyResponse } from '../../mcp/index.ts'
import { unreachable } from '../judge.ts'
import { PostError } from '../post.ts'
import { type Pending, provesTaken } from './pending.ts'

export interface DocumentAnswer {
  readonly response: LegacyResponse
  /** HTTP's; 200 where there is none. */
  readonly status: number
}

/** A request of our own, outside any call: what is said on the way to its answer is of no use here. */
export class DocumentRequest implements Pending {
  readonly person = undefined
  readonly answer: Promise<DocumentAnswer>
  #resolve!: (answer: DocumentAnswer) => void
  #reject!: (error: Error) => void
  #response: LegacyResponse | undefined

  constructor() {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /**
   * The answer, or a timeout; `stop` ends the exchange then. Nothing that comes before the answer is of use, so that a stream which brings one
   * has no more time than a body.
   */
  async within(timeoutMs: number, stop: () => void): Promise<DocumentAnswer> {
    const timer = setTimeout(() => {
      stop()
      this.#reject(new PostError('timeout', true))
    }, timeoutMs)
    return this.answer.finally(() => clearTimeout(timer))
  }

  get isTaken(): boolean {
    return provesTaken(this.#response)
  }

  notified(): void {}

  asked(): boolean {
    return false
  }

  answered(response: LegacyResponse): void {
    if (this.#response !== undefined) throw invalidAnswer('after_final')
    this.#response = response
  }

  ended(status: number): void {
    if (this.#response === undefined) this.#reject(invalidAnswer('no_final_response', { status }))
    else if (status === 200 || Object.hasOwn(this.#response.root, 'error')) this.#resolve({ response: this.#response, status })
    else this.#reject(invalidAnswer('status', { status }))
  }

  failed(error: Error): void {
    this.#reject(error)
  }

  lost(): void {
    this.#reject(unreachable('session'))
  }
}
