import { Refusal } from '../../core/errors.ts'
import { type Addressed, addressOf, writeCancelled } from '../../mcp/index.ts'
import { parseAnswer } from '../judge.ts'
import type { Line, LineEvents } from '../line.ts'
import type { Ask } from '../peer.ts'
import { PostError } from '../post.ts'
import { PipePost } from './pipe-post.ts'
import type { Processes } from './processes.ts'

/** How long a server may go on with what it was told to end. */
const ABANDONED_MS = 600_000

/** Processes that are spoken to in 2026-07-28: no handshake, each request says all that it needs. As many as policy says, each started when it is needed. */
export class ModernPipes {
  readonly #processes: Processes
  readonly #waitMs: number
  readonly #pipes: (Pipe | undefined)[]

  constructor(processes: Processes, waitMs: number) {
    this.#processes = processes
    this.#waitMs = waitMs
    this.#pipes = Array.from({ length: processes.size }, () => undefined)
  }

  readonly post: Ask = (id, target, _headers, body, sink) => {
    const pipe = this.#leastBusy()
    const post = new PipePost(id, target, body, sink, each => pipe.abandon(each))
    void pipe.send(post)
    return post
  }

  /**
   * The process that was asked which era it speaks, where it answered: what it is told next may be `initialize`, from whoever shakes hands
   * (stdio §Backward Compatibility).
   */
  handOver(events: LineEvents): Line | undefined {
    const line = this.#pipes[0]?.handOver(events)
    if (line !== undefined) this.#pipes[0] = undefined
    return line
  }

  /** Ends those that were not handed over. */
  async close(): Promise<void> {
    const pipes = this.#pipes.splice(0, this.#pipes.length, ...this.#pipes.map(() => undefined))
    await Promise.all(pipes.map(pipe => pipe?.close()))
  }

  #leastBusy(): Pipe {
    let best: { readonly index: number; readonly busy: number } | undefined
    for (const [index, pipe] of this.#pipes.entries()) {
      const busy = pipe === undefined || pipe.isDown ? 0 : pipe.busy
      if (best === undefined || busy < best.busy) best = { index, busy }
    }
    const index = best?.index ?? 0
    const known = this.#pipes[index]
    if (known !== undefined && !known.isDown) return known
    const made = new Pipe(events => this.#processes.open(events, this.#waitMs))
    this.#pipes[index] = made
    return made
  }
}

class Pipe {
  readonly #posts = new Map<number, PipePost>()
  readonly #opening: Promise<Line>
  #line: Line | undefined
  /** Who hears the line now. */
  #events: LineEvents
  #hasAnswered = false
  /** Requests that nobody waits for, and that the server may still speak of. */
  readonly #abandoned = new Set<Addressed['id']>()
  isDown = false

  constructor(open: (events: LineEvents) => Promise<Line>) {
    this.#events = this.#own
    this.#opening = open({
      onMessage: (data, of) => this.#events.onMessage(data, of),
      onEnd: (of, status) => this.#events.onEnd(of, status),
      onFailure: (of, error) => this.#events.onFailure(of, error),
      onDown: error => this.#events.onDown(error),
      onSessionLost: of => this.#events.onSessionLost(of),
      onChannel: state => this.#events.onChannel(state),
    })
    this.#opening.then(
      line => {
        this.#line = line
      },
      () => {
        this.isDown = true
      },
    )
  }

  /** Subscriptions are no work for as long as there is nothing new. */
  get busy(): number {
    let busy = 0
    for (const { isListening } of this.#posts.values()) if (!isListening) busy += 1
    return busy
  }

  async send(post: PipePost): Promise<void> {
    const { id, text, timeoutMs } = post
    this.#posts.set(id, post)
    const done = (): void => void this.#posts.delete(id)
    post.answered.then(done, done)
    try {
      const line = await this.#opening
      if (!post.isSettled) post.attach(line.send({ id, text, headers: [], timeoutMs }))
    } catch (error) {
      post.fail(error as Error)
    }
  }

  /** To stop waiting is not to stop the server (stdio §Cancellation). */
  abandon({ id, isListening }: PipePost): void {
    if (!isListening) {
      this.#abandoned.add(id)
      setTimeout(() => this.#abandoned.delete(id), ABANDONED_MS).unref()
    }
    this.#line?.tell(writeCancelled(id)).catch(() => {})
  }

  handOver(events: LineEvents): Line | undefined {
    if (this.isDown || !this.#hasAnswered || this.#posts.size > 0) return undefined
    this.#events = events
    this.isDown = true
    return this.#line
  }

  async close(): Promise<void> {
    this.isDown = true
    for (const post of [...this.#posts.values()]) post.fail(new PostError('broken', true))
    await this.#opening.then(
      line => line.close(),
      () => {},
    )
  }

  readonly #own: LineEvents = {
    onMessage: data => {
      const text = typeof data === 'string' ? Buffer.from(data) : data
      const addressed = this.#read(text)
      this.#hasAnswered = true
      if (addressed === undefined) return true
      if (addressed.isFinal) this.#abandoned.delete(addressed.id)
      this.#postOf(addressed.id)?.hear(text, addressed.isFinal)
      return true
    },
    onEnd: () => {},
    onFailure: (of, error) => {
      const post = this.#posts.get(of)
      post?.fail(error)
      if (post !== undefined && error instanceof PostError && error.sent && error.failure !== 'broken') this.abandon(post)
    },
    onDown: () => {
      this.isDown = true
    },
    onSessionLost: () => {},
    onChannel: () => {},
  }

  /** What cannot be read is somebody's answer, as a rule: it must not take the process from all the others. */
  #read(text: Buffer): Addressed | undefined {
    try {
      return addressOf(parseAnswer(text))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (this.#posts.size === 1) for (const post of this.#posts.values()) post.fail(error)
      return undefined
    }
  }

  /** What does not say whose it is (a log message) is the only request's, or nobody's: also where it can be of one that nobody waits for any more. */
  #postOf(id: string | number | undefined): PipePost | undefined {
    if (typeof id === 'number') return this.#posts.get(id)
    if (id !== undefined || this.#abandoned.size > 0) return undefined
    const posts = [...this.#posts.values()].filter(({ isListening }) => !isListening)
    return posts.length === 1 ? posts[0] : undefined
  }
}
