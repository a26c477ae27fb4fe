import { setAlarm } from '../core/alarm.ts'
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { CallerStream, Principal, RequestMeta } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { type Heard, Hearings } from './hearings.ts'
import { LISTS, type ListName, type Located, type Outlook } from './outlook.ts'
import { SeenLists } from './seen-lists.ts'
import type { Share } from './share.ts'
import type { Voice } from './voice.ts'

const MAX_DUE = 1_000
/** How long a caller waits for upstreams that do not say whether they are listened to. */
const MAX_ACK_MS = 1_000

/** Something of an upstream that may change, as its caller names it. */
interface Thing {
  readonly kind: 'uri' | 'task'
  readonly name: string
}

/** What is still to be said on behalf of one upstream, by name: a server that is slow to answer delays its own news alone. */
interface Queue {
  /** Each thing once, however often it happens before a slow caller takes it. */
  readonly due: Map<string, Thing | ListName>
  isTelling: boolean
}

/** Who wants to be told of what, and how. */
export interface Interest {
  readonly endpoint: EndpointConfig
  readonly principal: Principal
  readonly caller: CallerStream
  readonly voice: Voice
  readonly protocolVersion: string
  readonly wanted: ListenFilter
  /** Of the request; a session has none, and no tasks. */
  readonly meta: RequestMeta | undefined
  readonly untilMs: number
  /** What it was told of the lists before, on another connection. */
  readonly seen: string | undefined
  /**
   * A session stays subscribed to what it may not read at the moment, and nobody tells it what will be heard: its stream begins at once. A
   * `subscriptions/listen` is told, once, and hears of nothing else whatever a later revision allows.
   */
  readonly isStanding: boolean
}

/** One open stream of news: a `subscriptions/listen` (MCP 2026-07-28 basic/patterns/subscriptions), or the stream of a session. */
export class Subscription {
  readonly ended: Promise<void>
  readonly person: string
  readonly share: Share
  #resolve!: () => void
  readonly #interest: Interest
  readonly #seen: SeenLists
  readonly #callOff: () => void
  #outlook: Outlook | undefined
  /** What was acknowledged, and before that what was asked for: nothing else is ever told. */
  #wanted: readonly Thing[]
  /** Where each of them led when the streams were opened. */
  #located: ReadonlyMap<Thing, Located> = new Map()
  readonly #hearings = new Hearings((alias, news, isMissed) => this.#hear(alias, news, isMissed))
  /** Upstreams that have not said yet that they are listened to. */
  readonly #unheard = new Set<string>()
  #isAcknowledged = false
  #ackTimer: NodeJS.Timeout | undefined
  /** By upstream; that of the lists has no name. */
  readonly #queues = new Map<string, Queue>()
  #isOver = false

  constructor(interest: Interest, clock: Clock, share: Share) {
    const { principal, wanted, untilMs } = interest
    this.#interest = interest
    this.share = share
    this.person = personOf(principal)
    this.#seen = new SeenLists(LISTS.filter(list => wanted[list]))
    this.#wanted = [...wanted.uris.map(uriThing), ...wanted.taskIds.map((name): Thing => ({ kind: 'task', name }))]
    this.ended = new Promise(resolve => {
      this.#resolve = resolve
    })
    // A token says until when: nothing is told under it afterwards.
    this.#callOff = setAlarm(untilMs - clock.now(), () => this.end())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * The acknowledgment is the first message, and says what will be heard. It waits for those of the upstreams: whoever reads a resource
   * after it will hear of every later change. Whoever is late counts as changed when it comes.
   */
  begin(outlook: Outlook): void {
    const { caller, isStanding, seen } = this.#interest
    if (!caller.canStream) {
      this.#callOff()
      throw new Refusal('HTTP_NOT_ACCEPTABLE', { notProcessed: true })
    }
    this.#seen.begin(list => this.#fingerprint(outlook, list), seen)
    caller.open()
    if (isStanding) this.#acknowledge()
    this.move(outlook)
    caller.onGone(() => this.end())
    if (seen !== undefined) this.compare(outlook)
  }

  /** Hears the same under another revision. What is said between two streams goes unheard, so all of it counts as changed once the next one stands. */
  move(outlook: Outlook): void {
    if (this.#isOver) return
    const { endpoint, protocolVersion } = this.#interest
    if (!outlook.isSpoken(endpoint.path, protocolVersion)) {
      this.end()
      return
    }
    this.#hearings.close()
    // A fault of ours ends this subscription, not the process.
    this.#follow(outlook).catch(() => this.end())
  }

  /** Hears of these resources from now on. Often asked for, and seldom for something else. */
  want(uris: readonly string[]): void {
    const outlook = this.#outlook
    if (this.#isOver || outlook === undefined) return
    const names = new Set(uris)
    if (names.size === this.#wanted.length && this.#wanted.every(({ name }) => names.has(name))) return
    this.#wanted = uris.map(uriThing)
    this.#follow(outlook).catch(() => this.end())
  }

  async #follow(outlook: Outlook): Promise<void> {
    this.#outlook = outlook
    const wanted = this.#wanted
    const located = new Map<Thing, Located>()
    for (const thing of wanted) {
      const found = this.share.run(() => this.#locate(outlook, thing))
      const place = found instanceof Promise ? await found : found
      // Meanwhile the caller may have left or want something else, or another revision have come.
      if (this.#isOver || this.#outlook !== outlook || this.#wanted !== wanted) return
      if (place !== undefined) located.set(thing, place)
    }
    this.#located = located
    if (!this.#isAcknowledged) this.#wanted = [...located.keys()]
    this.#listen(outlook)
    if (this.#isAcknowledged) return
    if (this.#unheard.size === 0) this.#acknowledge()
    else this.#ackTimer ??= setTimeout(() => this.#acknowledge(), MAX_ACK_MS).unref()
  }

  #listen(outlook: Outlook): void {
    const byAlias = new Map<string, Heard[]>()
    for (const [{ kind }, { alias, inner }] of this.#located) {
      const found = byAlias.get(alias) ?? []
      byAlias.set(alias, found)
      found.push({ kind, inner })
    }
    this.#unheard.clear()
    for (const alias of byAlias.keys()) this.#unheard.add(alias)
    this.#hearings.listen(outlook, this.#interest.principal, byAlias)
  }

  #acknowledge(): void {
    if (this.#isAcknowledged) return
    this.#isAcknowledged = true
    clearTimeout(this.#ackTimer)
    const { voice, wanted } = this.#interest
    const namesOf = (kind: Thing['kind']) => [...this.#located.keys()].flatMap(thing => (thing.kind === kind ? thing.name : []))
    voice.begin({ ...wanted, uris: namesOf('uri'), taskIds: namesOf('task') }, this.#seen.told)
    for (const queue of this.#queues.values()) this.#tellAll(queue)
  }

  /** Tells of each list that this caller now sees differently. */
  compare(outlook: Outlook): void {
    if (this.#isOver) return
    for (const list of this.#seen.changed(list => this.#fingerprint(outlook, list))) this.#say('', list)
  }

  end(): void {
    if (this.#isOver) return
    this.#acknowledge()
    this.#isOver = true
    this.#callOff()
    this.#hearings.close()
    this.#resolve()
  }

  #hear(alias: string, news: UpstreamNews, isMissed: (what: Heard) => boolean): void {
    const outlook = this.#outlook
    if (outlook === undefined || this.#isOver) return
    switch (news.kind) {
      case 'resource_updated':
        this.#say(alias, uriThing(outlook.expose(this.#interest.endpoint.path, alias, news.uri)))
        break
      case 'task':
        this.#sayOf(alias, ({ kind, inner }) => kind === 'task' && inner === news.taskId)
        break
      case 'begun':
      case 'resumed':
        // Nobody knows what was said meanwhile: whoever cares looks again. Before the acknowledgment nobody has looked yet.
        if (this.#isAcknowledged) this.#sayOf(alias, isMissed)
        else if (this.#unheard.delete(alias) && this.#unheard.size === 0) this.#acknowledge()
        break
      case 'list_changed':
        break
    }
  }

  #sayOf(alias: string, isMeant: (what: Heard) => boolean): void {
    for (const [thing, located] of this.#located) {
      if (located.alias === alias && isMeant({ kind: thing.kind, inner: located.inner })) this.#say(alias, thing)
    }
  }

  #say(alias: string, what: Thing | ListName): void {
    if (this.#isOver) return
    const queue = this.#queues.get(alias) ?? { due: new Map(), isTelling: false }
    this.#queues.set(alias, queue)
    queue.due.set(typeof what === 'string' ? what : `${what.kind} ${what.name}`, what)
    // An upstream chooses what it names, and a caller how slowly it reads: who is this far behind begins again.
    if (queue.due.size > MAX_DUE) this.end()
    else this.#tellAll(queue)
  }

  #tellAll(queue: Queue): void {
    if (this.#isAcknowledged && !queue.isTelling) this.#tell(queue).catch(() => this.end())
  }

  async #tell(queue: Queue): Promise<void> {
    queue.isTelling = true
    for (const [key, what] of queue.due) {
      queue.due.delete(key)
      await this.#tellOf(what)
      if (this.#isOver) break
    }
    queue.isTelling = false
  }

  /** Judged when it is said, not when it was asked for. */
  async #tellOf(what: Thing | ListName): Promise<void> {
    const { voice, endpoint, principal, meta } = this.#interest
    const outlook = this.#outlook
    if (outlook === undefined) return
    if (typeof what === 'string') return voice.listChanged(what, this.#seen.tell(what))
    if (what.kind === 'uri') {
      const found = await this.share.run(() => this.#locate(outlook, what))
      if (found === undefined || this.#isOver) return
      return voice.resourceUpdated(what.name, this.#seen.told)
    }
    await this.share.readTurn()
    if (this.#isOver || meta === undefined) return
    const task = await outlook.readTask(endpoint.path, principal, what.name, meta)
    if (task !== undefined && !this.#isOver) return voice.taskChanged(what.name, task)
  }

  #fingerprint(outlook: Outlook, list: ListName): string {
    return outlook.fingerprint(this.#interest.endpoint.path, this.#interest.principal, list)
  }

  #locate(outlook: Outlook, { kind, name }: Thing): Located | undefined {
    const { endpoint, principal } = this.#interest
    return kind === 'uri' ? outlook.locate(endpoint.path, principal, name) : outlook.locateTask(endpoint.path, principal, name)
  }
}

function uriThing(name: string): Thing {
  return { kind: 'uri', name }
}
