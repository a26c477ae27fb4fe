import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { JsonDocument } from '../../core/json.ts'
import type { ClientCapabilities, ItemKind, Principal } from '../../core/model.ts'
import { personOf } from '../../core/person.ts'
import {
  capabilitiesObject,
  type Handshake,
  invalidAnswer,
  NO_CAPABILITIES,
  parseLegacyResponse,
  type UpstreamNews,
  writeLegacyList,
} from '../../mcp/index.ts'
import { documentRefused, withStatus } from '../judge.ts'
import type { ListenTimings } from '../listening.ts'
import type { Peer } from '../peer.ts'
import { Conversation } from './conversation.ts'
import type { OpenLine } from './conversation-options.ts'
import { type Begun, Conversations, type Lease } from './conversations.ts'
import { Holds } from './holds.ts'
import { NewsDesk } from './news-desk.ts'

export interface LegacyPeerOptions {
  readonly peer: Peer
  /** Ways to the server, best first; the next is tried where one says that this is not how it is spoken to. */
  readonly ways: readonly OpenLine[]
  /** How many processes of a program serve everybody; `undefined` for a server that is reached by HTTP. */
  readonly processes: number | undefined
  /** Whether there is anybody who can take a server's questions to its caller. */
  readonly canAsk: boolean
  readonly clock: Clock
  readonly timings: ListenTimings
  readonly random: () => number
  readonly onNews: (news: UpstreamNews) => void
}

/** Sessions of one upstream that this process keeps, its variants with equal shares; beyond, those that are idle give way. */
const MAX_CONVERSATIONS = 1_000
/** Longer than a person pauses: with the session goes whatever the server keeps of them. */
const IDLE_MS = 1_800_000
/** How old a server's word about itself may be: sessions outlive what it would say to a new one. Of one without sessions, none. */
const SAID_MS = 600_000
const SAID_WITHOUT_SESSION_MS = 5_000

const OWN = 'own'
/** A POST is not how this server is spoken to (MCP 2025-11-25 transports §Backwards Compatibility). */
const OTHER_WAY: ReadonlySet<unknown> = new Set([400, 404, 405])

const UNSAID: JsonDocument = { text: '', value: null, spans: new Map() }

const ANYTHING: ClientCapabilities = {
  form: true,
  url: true,
  sampling: true,
  samplingTools: true,
  samplingContext: true,
  roots: true,
  tasks: false,
}

/** One legacy upstream under one credential: its sessions, and what is asked of it outside any call. */
export class LegacyPeer {
  readonly desk: NewsDesk
  readonly #options: LegacyPeerOptions
  readonly #conversations: Conversations
  /** The way that worked last. */
  #way = 0
  #said: { readonly handshake: Handshake; readonly atMs: number } | undefined
  #nextProcess = 0
  /** The last conversation got no session id: a server without sessions mixes nothing up, so all callers share one conversation. */
  #keepsNothing = false
  readonly #holds: Holds
  readonly #names = new WeakMap<ClientCapabilities, string>()

  constructor(options: LegacyPeerOptions) {
    this.#options = options
    const { clock, peer, processes, timings, random } = options
    const { maxConnections, variants } = peer.config
    const nowMs = (): number => clock.monotonicMs()
    this.#conversations = new Conversations({
      idleMs: processes === undefined ? IDLE_MS : undefined,
      max: Math.floor(MAX_CONVERSATIONS / (1 + variants.length)),
      nowMs,
    })
    this.#holds = new Holds(maxConnections)
    this.desk = new NewsDesk({ take: () => this.#takeOwn(), timings, random })
  }

  /** All that this upstream may ask of some caller. */
  get #allowed(): ClientCapabilities {
    return this.#options.peer.capabilities.cut(ANYTHING)
  }

  /** Sessions that are kept. */
  get sessions(): number {
    return this.#conversations.size
  }

  /** The conversation for a call of this caller. Throws UPSTREAM_*: nothing of the call was sent. */
  async take(principal: Principal, declared: ClientCapabilities): Promise<Lease> {
    const { peer, processes } = this.#options
    if (processes !== undefined) return this.#takeProcess(this.#nextProcess++ % processes)
    const capabilities = this.#offered(declared)
    const isPersonal = peer.config.sessions === 'perPrincipal' && !this.#keepsNothing
    const name = `${this.#nameOf(capabilities)} ${isPersonal ? personOf(principal) : ''}`
    const lease = await this.#conversations.take(name, async () => forCalls(await this.#begin(capabilities, isPersonal)))
    if (peer.config.sessions === 'shared') return lease
    this.#keepsNothing = !lease.conversation.hasSession
    if (isPersonal || this.#keepsNothing) return lease
    // It keeps sessions by now, and this one is nobody's.
    lease.release()
    return this.take(principal, declared)
  }

  /** One page of a list, outside any call. Throws UPSTREAM_*. */
  async fetchList(kind: ItemKind, cursor: string | undefined): Promise<JsonDocument> {
    const lease = await this.#takeOwn()
    try {
      const { id, response, status } = await lease.conversation.request(id => writeLegacyList(id, kind, cursor))
      return withStatus(status, () => {
        if (response.document.text.length > this.#options.peer.documents.maxBytes) throw tooLarge()
        const answer = parseLegacyResponse(response, id, 'list')
        if (answer.kind === 'error') throw documentRefused(answer)
        return response.document
      })
    } finally {
      lease.release()
    }
  }

  /** What the server says of itself to whoever shakes hands now, or has lately. Throws UPSTREAM_*. */
  async shakeHands(): Promise<Handshake> {
    const { clock } = this.#options
    const own = await this.#takeOwn()
    own.release()
    const {
      conversation: { hasSession },
      sinceMs,
    } = own
    const said = this.#said ?? { handshake: own.handshake, atMs: sinceMs }
    const latest = said.atMs >= sinceMs ? said : { handshake: own.handshake, atMs: sinceMs }
    const maxAgeMs = hasSession ? SAID_MS : SAID_WITHOUT_SESSION_MS
    if (this.#options.processes !== undefined || clock.monotonicMs() - latest.atMs <= maxAgeMs) return latest.handshake
    const { conversation, handshake } = await this.#begin(this.#allowed)
    void conversation.close()
    this.#said = { handshake, atMs: clock.monotonicMs() }
    return handshake
  }

  /** Takes nothing new; resolves when what is under way has ended. */
  drain(): Promise<void> {
    this.desk.close()
    return this.#conversations.drain()
  }

  close(): Promise<void> {
    this.desk.close()
    return this.#conversations.close()
  }

  /** Lists, discovery and news: the gateway's own, told of all that could be asked of some caller, since servers show more to who can answer. */
  #takeOwn(): Promise<Lease> {
    if (this.#options.processes !== undefined) return this.#takeProcess(0)
    return this.#conversations.take(OWN, () => this.#begin(this.#allowed))
  }

  #takeProcess(number: number): Promise<Lease> {
    return this.#conversations.take(`process ${number}`, () => this.#begin(this.#allowed))
  }

  #offered(declared: ClientCapabilities): ClientCapabilities {
    return this.#options.canAsk ? this.#options.peer.capabilities.cut(declared) : NO_CAPABILITIES
  }

  /** There are few sets, and each is one object. */
  #nameOf(capabilities: ClientCapabilities): string {
    let name = this.#names.get(capabilities)
    if (name === undefined) {
      name = JSON.stringify(capabilitiesObject(capabilities))
      this.#names.set(capabilities, name)
    }
    return name
  }

  async #begin(capabilities: ClientCapabilities, isPersonal = false): Promise<Begun> {
    const { ways, peer, onNews } = this.#options
    const { timeoutMs } = peer.config
    let first: unknown
    for (const index of new Set([this.#way, ...ways.keys()])) {
      const open = ways[index]
      if (open === undefined) break
      const common = { capabilities, timeoutMs, nextId: peer.nextId, onNews, isPersonal, holds: this.#holds }
      const conversation = new Conversation({ open, ...common })
      try {
        const handshake = await conversation.begin()
        this.#way = index
        return { conversation, handshake }
      } catch (error) {
        first ??= error
        if (!isOtherWay(error)) break
      }
    }
    throw first
  }
}

function isOtherWay(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'UPSTREAM_INVALID' && OTHER_WAY.has(error.detail.status)
}

function tooLarge(): Refusal {
  return invalidAnswer('too_large')
}

/** What a server says of itself may be long, and there are a thousand to whom it says it: nobody asks for it again in a session for calls. */
function forCalls({ conversation, handshake }: Begun): Begun {
  return { conversation, handshake: { ...handshake, discovery: UNSAID } }
}
