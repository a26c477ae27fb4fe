import { Refusal } from '../../core/errors.ts'
import type { LogLevel } from '../../core/model.ts'
import {
  type Handshake,
  INITIALIZED,
  isLoud,
  type LegacyMessage,
  type LegacyNotification,
  type LegacyServerRequest,
  parseHandshake,
  parseLegacyMessage,
  parseLegacyNews,
  writeCancelled,
  writeInitialize,
  writeLegacyError,
  writeLegacyResult,
  writeSetLevel,
} from '../../mcp/index.ts'
import { judgeFailure, parseAnswer, withStatus } from '../judge.ts'
import type { Line, LineEvents, LineExchange } from '../line.ts'
import type { PostError } from '../post.ts'
import type { QuestionResponse, ServerQuestion } from '../running-call.ts'
import {
  type CallRequest,
  type ChannelNews,
  type ConversationOptions,
  endsSession,
  isOffered,
  offersAnything,
} from './conversation-options.ts'
import { type DocumentAnswer, DocumentRequest } from './document-request.ts'
import { type CallRoom, LegacyCall } from './legacy-call.ts'
import { METHOD_NOT_FOUND, type Pending } from './pending.ts'
import { Requests } from './requests.ts'

/** How long a call that nobody waits for any more may still speak up where others do: no other person is asked anything meanwhile. */
const ABANDONED_MS = 600_000
/** How long the first call waits for the channel that it may be asked on. */
const CHANNEL_MS = 1_000

const NOT_TAKEN = -32_603

/** One initialised session with a legacy server (MCP 2025-11-25 lifecycle): requests of ours under ids of ours, and what the server says meanwhile. */
export class Conversation implements CallRoom {
  readonly #options: ConversationOptions
  readonly #requests = new Requests()
  #line: Line | undefined
  #level: LogLevel | undefined
  #hasLogging = false
  #isOver = false
  #onChannel: ((news: ChannelNews) => void) | undefined
  #channel: 'open' | 'lost' | 'none' | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
  }

  /** No new request may begin in it. */
  get isOver(): boolean {
    return this.#isOver
  }

  get isShared(): boolean {
    return this.#line?.isShared === true
  }

  /**
   * Servers may ask about a call beside its own stream, and many do (it is what their SDK does unless told otherwise): on a line that all
   * share there is no other way; on a GET stream only what is said to one person can be told whose it is.
   */
  get #hearsAside(): boolean {
    return this.isShared || (this.#options.isPersonal && offersAnything(this.#options.capabilities))
  }

  get hasSession(): boolean {
    return this.#line?.hasSession === true
  }

  /** Opens the line and shakes hands. Throws UPSTREAM_*; the conversation is over then. */
  async begin(): Promise<Handshake> {
    const { open, capabilities } = this.#options
    try {
      this.#line = await open(this.#events)
      const { id, response, status } = await this.request(id => writeInitialize(id, capabilities))
      const handshake = withStatus(status, () => parseHandshake(response, id))
      this.#hasLogging = handshake.hasLogging
      this.#line.agree(handshake.protocolVersion)
      // Before anything else is sent: it may be what makes the server listen.
      await this.#line.tell(INITIALIZED)
      if (this.#hearsAside) await this.#openChannel(this.#line)
      return handshake
    } catch (error) {
      void this.close()
      throw judgeFailure(error, false)
    }
  }

  /** A request of our own, outside any call. Throws UPSTREAM_*. */
  async request(write: (id: number) => string): Promise<DocumentAnswer & { readonly id: number }> {
    const id = this.#options.nextId()
    const { timeoutMs } = this.#options
    const pending = new DocumentRequest()
    this.#send(id, pending, write(id), [], timeoutMs)
    try {
      return { id, ...(await pending.within(timeoutMs, () => this.#requests.take(id)?.exchange?.stop())) }
    } catch (error) {
      throw judgeFailure(error, false)
    }
  }

  call({ write, headers, timeoutMs, ...request }: CallRequest): LegacyCall {
    const id = this.#options.nextId()
    const { capabilities, holds } = this.#options
    const takes = (method: string): boolean => isOffered(capabilities, method)
    const call = new LegacyCall({ ...request, id, room: this, takes, holds: this.isShared ? undefined : holds })
    call.attach(this.#send(id, call, write(id), headers, timeoutMs))
    return call
  }

  /** Log messages of this level are sent from now on, where the server sends any. One that refuses goes on as it likes. */
  async setLevel(level: LogLevel): Promise<void> {
    if (!this.#hasLogging || (this.#level !== undefined && isLoud(level, this.#level))) return
    this.#level = level
    await this.request(id => writeSetLevel(id, level)).catch(() => {})
  }

  /** Opens the channel for what belongs to no request, once; who is told changes with each asking. */
  listen(onChannel: (news: ChannelNews) => void): void {
    this.#onChannel = onChannel
    if (this.#isOver) onChannel({ kind: 'over' })
    else if (this.#channel !== undefined) onChannel({ kind: this.#channel })
    else this.#line?.listen()
  }

  respond({ id }: ServerQuestion, response: QuestionResponse): Promise<void> {
    return this.#tell(
      response.kind === 'result' ? writeLegacyResult(id, response.text) : writeLegacyError(id, response.code, response.message),
    )
  }

  cancelled(id: number, person: string, isSent: boolean): void {
    this.#requests.take(id)
    if (!isSent) return
    this.#abandon(id, person)
    this.#tell(writeCancelled(id)).catch(() => {})
  }

  /** Takes nothing new; what is under way goes on. */
  retire(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onChannel?.({ kind: 'over' })
  }

  async close(): Promise<void> {
    this.retire()
    await this.#line?.close()
  }

  #abandon(id: number, person: string): void {
    if (this.isShared) this.#requests.abandon(id, person, ABANDONED_MS)
  }

  #openChannel(line: Line): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, CHANNEL_MS)
      this.#onChannel = () => {
        clearTimeout(timer)
        resolve()
      }
      line.listen()
    })
  }

  #send(id: number, pending: Pending, text: string, headers: readonly string[], timeoutMs: number): LineExchange {
    const line = this.#line
    if (line === undefined) throw new Error('a conversation begins with its line')
    this.#requests.add(id, pending)
    const exchange = line.send({ id, text, headers, timeoutMs })
    this.#requests.sent(id, exchange)
    return exchange
  }

  async #tell(text: string): Promise<void> {
    await this.#line?.tell(text)
  }

  readonly #events: LineEvents = {
    onMessage: (data, of) => {
      if (of === undefined) return this.#hearShared(data)
      const pending = this.#requests.get(of)
      return pending === undefined ? false : this.#hearOf(of, pending, parseLegacyMessage(parseAnswer(data)), Buffer.byteLength(data))
    },
    onEnd: (of, status) => {
      // A session that is over has that status whatever error is said (MCP 2025-11-25 transports §Session Management); so do unknown methods.
      const isLost = status === 404 && this.hasSession && this.#requests.get(of)?.isTaken !== true
      if (isLost) this.#events.onSessionLost(of)
      else this.#requests.take(of)?.pending.ended(status)
    },
    onFailure: (of, error) => {
      if (endsSession(error)) this.retire()
      const pending = this.#requests.take(of)?.pending
      if (pending?.person !== undefined) this.#abandon(of, pending.person)
      pending?.failed(error)
    },
    onSessionLost: of => {
      this.retire()
      if (of !== undefined) this.#requests.take(of)?.pending.lost()
    },
    onDown: error => this.#fall(error),
    onChannel: state => {
      this.#channel = state
      this.#onChannel?.({ kind: state })
    },
  }

  #hearOf(of: number, pending: Pending, message: LegacyMessage, bytes: number): Promise<boolean> | boolean {
    switch (message.kind) {
      case 'notification': {
        this.#hearNews(message)
        return pending.notified(message)?.then(() => true) ?? true
      }
      case 'request':
        return this.#hearRequest(message, pending)
      case 'response':
        // An answer to something else on this request's own stream: it is nobody's.
        if (message.id !== of) throw new Refusal('UPSTREAM_INVALID', {}, { reason: 'id' })
        pending.answered(message, bytes)
        return false
    }
  }

  #hearShared(data: string | Buffer): Promise<boolean> | boolean {
    const message = this.#read(data)
    switch (message?.kind) {
      case 'notification':
        this.#hearNews(message)
        this.#subjectOf(message)?.notified(message)
        return true
      case 'request':
        return this.#hearRequest(message, this.#hearsAside ? this.#requests.only() : undefined)
      case 'response':
        if (this.isShared && typeof message.id === 'number') this.#requests.answer(message.id, message, Buffer.byteLength(data))
        // On a GET stream nobody is answered, and answers to what was never asked are nobody's.
        return true
      default:
        return true
    }
  }

  /** What cannot be read is somebody's, as a rule his whose call it is the answer to: it must not take the line from all the others. */
  #read(data: string | Buffer): LegacyMessage | undefined {
    try {
      return parseLegacyMessage(parseAnswer(data))
    } catch (error) {
      if (!this.isShared || !(error instanceof Refusal)) throw error
      this.#requests.failOnly(error, ABANDONED_MS)
      return undefined
    }
  }

  /** Whose a notification beside all streams is: progress says it; a log message is the only call's, or nobody's. */
  #subjectOf({ method, params }: LegacyNotification): Pending | undefined {
    if (!this.#hearsAside) return undefined
    if (method === 'notifications/progress') {
      return typeof params.progressToken === 'number' ? this.#requests.get(params.progressToken) : undefined
    }
    return method === 'notifications/message' ? this.#requests.only('lately too') : undefined
  }

  /** Answered before anything else of the server's is read: it gets no more requests out of us than it can take. */
  #hearRequest(request: LegacyServerRequest, pending: Pending | undefined): Promise<boolean> | boolean {
    const { id, method } = request
    if (method === 'ping') return this.#answer(writeLegacyResult(id, '{}'))
    if (!isOffered(this.#options.capabilities, method)) return this.#answer(writeLegacyError(id, METHOD_NOT_FOUND, 'Method not found'))
    if (pending?.asked(request) === true) return true
    return this.#answer(writeLegacyError(id, NOT_TAKEN, 'This client does not take questions now.'))
  }

  #answer(text: string): Promise<boolean> {
    // A server that does not take our answer is worse off for it than we are.
    return this.#tell(text).then(
      () => true,
      () => true,
    )
  }

  #hearNews(notification: LegacyNotification): void {
    const news = parseLegacyNews(notification)
    if (news === undefined) return
    this.#options.onNews(news)
    this.#onChannel?.(news)
  }

  #fall(error: PostError | Error): void {
    this.retire()
    this.#requests.fail(error)
    void this.#line?.close()
  }
}
