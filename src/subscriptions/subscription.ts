import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import { personOf } from '../core/person.ts'
import {
  type ListenFilter,
  type UpstreamNews,
  writeAcknowledged,
  writeListChanged,
  writeResourceUpdated,
  writeTaskNotice,
} from '../mcp/index.ts'
import type { Listen, ListName, Located, Outlook } from './outlook.ts'
import type { Share } from './share.ts'

const LISTS: readonly ListName[] = ['tools', 'prompts', 'resources']
/** The longest a timer of Node can be set for. */
const MAX_TIMER_MS = 2_147_483_647
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

/** One open `subscriptions/listen` (MCP 2026-07-28 basic/patterns/subscriptions). */
export class Subscription {
  readonly ended: Promise<void>
  readonly person: string
  readonly share: Share
  #resolve!: () => void
  readonly #listen: Listen
  readonly #lists: readonly ListName[]
  readonly #fingerprints = new Map<ListName, string>()
  readonly #expiry: NodeJS.Timeout
  #outlook: Outlook | undefined
  /** What was acknowledged, and before that what was asked for: nothing else is ever told. */
  #wanted: readonly Thing[]
  /** Where each of them led when the streams were opened. */
  #located: ReadonlyMap<Thing, Located> = new Map()
  /** By upstream; the streams that carry its news. */
  #streams: { close(): void }[] = []
  /** Upstreams that have not said yet that they are listened to. */
  readonly #unheard = new Set<string>()
  #isAcknowledged = false
  #ackTimer: NodeJS.Timeout | undefined
  /** By upstream; that of the lists has no name. */
  readonly #queues = new Map<string, Queue>()
  #isOver = false

  constructor(listen: Listen, clock: Clock, share: Share) {
    this.#listen = listen
    this.share = share
    this.person = personOf(listen.principal)
    this.#lists = LISTS.filter(list => listen.wanted[list])
    const { uris, taskIds } = listen.wanted
    this.#wanted = [...uris.map((name): Thing => ({ kind: 'uri', name })), ...taskIds.map((name): Thing => ({ kind: 'task', name }))]
    this.ended = new Promise(resolve => {
      this.#resolve = resolve
    })
    // A token says until when: nothing is told under it afterwards.
    const leftMs = listen.principal.expiresAtMs - clock.now()
    this.#expiry = setTimeout(() => this.end(), Math.min(Math.max(leftMs, 0), MAX_TIMER_MS)).unref()
  }

  /**
   * The acknowledgment is the first message, and says what will be heard. It waits for those of the upstreams: whoever reads a resource
   * after it will hear of every later change. Whoever is late counts as changed when it comes.
   */
  begin(outlook: Outlook): void {
    const { caller } = this.#listen
    if (!caller.canStream) {
      clearTimeout(this.#expiry)
      throw new Refusal('HTTP_NOT_ACCEPTABLE', { notProcessed: true })
    }
    for (const list of this.#lists) this.#fingerprints.set(list, this.#fingerprint(outlook, list))
    caller.open()
    this.move(outlook)
    caller.onGone(() => this.end())
  }

  /** Hears the same under another revision. What is said between two streams goes unheard, so all of it counts as changed once the next one stands. */
  move(outlook: Outlook): void {
    if (this.#isOver) return
    // A fault of ours ends this subscription, not the process.
    this.#follow(outlook).catch(() => this.end())
  }

  async #follow(outlook: Outlook): Promise<void> {
    this.#outlook = outlook
    const located = new Map<Thing, Located>()
    for (const thing of this.#wanted) {
      const found = this.share.run(() => this.#locate(outlook, thing))
      const place = found instanceof Promise ? await found : found
      // Meanwhile the caller may have left, or another revision have come.
      if (this.#isOver || this.#outlook !== outlook) return
      if (place !== undefined) located.set(thing, place)
    }
    this.#located = located
    if (!this.#isAcknowledged) this.#wanted = [...located.keys()]
    this.#openStreams(outlook)
    if (this.#isAcknowledged) return
    if (this.#unheard.size === 0) this.#acknowledge()
    else this.#ackTimer ??= setTimeout(() => this.#acknowledge(), MAX_ACK_MS).unref()
  }

  #openStreams(outlook: Outlook): void {
    this.#closeStreams()
    const byAlias = new Map<string, { uris: string[]; taskIds: string[] }>()
    for (const [{ kind }, { alias, inner }] of this.#located) {
      const found = byAlias.get(alias) ?? { uris: [], taskIds: [] }
      byAlias.set(alias, found)
      found[kind === 'uri' ? 'uris' : 'taskIds'].push(inner)
    }
    for (const alias of byAlias.keys()) this.#unheard.add(alias)
    for (const [alias, { uris, taskIds }] of byAlias) {
      const filter: ListenFilter = { tools: false, prompts: false, resources: false, uris, taskIds }
      this.#streams.push(outlook.listen(this.#listen.principal, alias, filter, news => this.#hear(alias, news)))
    }
  }

  #acknowledge(): void {
    if (this.#isAcknowledged) return
    this.#isAcknowledged = true
    clearTimeout(this.#ackTimer)
    const { caller, id, wanted } = this.#listen
    const namesOf = (kind: Thing['kind']) => [...this.#located.keys()].flatMap(thing => (thing.kind === kind ? thing.name : []))
    void caller.notify(writeAcknowledged(id, { ...wanted, uris: namesOf('uri'), taskIds: namesOf('task') }))
    for (const queue of this.#queues.values()) this.#tellAll(queue)
  }

  /** Tells of each list that this caller now sees differently. */
  compare(outlook: Outlook): void {
    if (this.#isOver) return
    for (const list of this.#lists) {
      const now = this.#fingerprint(outlook, list)
      if (this.#fingerprints.get(list) === now) continue
      this.#fingerprints.set(list, now)
      this.#say('', list)
    }
  }

  end(): void {
    if (this.#isOver) return
    this.#acknowledge()
    this.#isOver = true
    clearTimeout(this.#expiry)
    this.#closeStreams()
    this.#resolve()
  }

  #hear(alias: string, news: UpstreamNews): void {
    const outlook = this.#outlook
    if (outlook === undefined || this.#isOver) return
    switch (news.kind) {
      case 'resource_updated':
        this.#say(alias, { kind: 'uri', name: outlook.expose(this.#listen.endpoint.path, alias, news.uri) })
        break
      case 'task':
        this.#sayOf(alias, ({ kind }, { inner }) => kind === 'task' && inner === news.taskId)
        break
      case 'begun':
      case 'resumed':
        // Nobody knows what was said meanwhile: whoever cares looks again. Before the acknowledgment nobody has looked yet.
        if (this.#isAcknowledged) this.#sayOf(alias, () => true)
        else if (this.#unheard.delete(alias) && this.#unheard.size === 0) this.#acknowledge()
        break
      case 'list_changed':
        break
    }
  }

  #sayOf(alias: string, isMeant: (thing: Thing, located: Located) => boolean): void {
    for (const [thing, located] of this.#located) if (located.alias === alias && isMeant(thing, located)) this.#say(alias, thing)
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
      const text = await this.#write(what)
      if (this.#isOver) break
      if (text !== undefined) await this.#listen.caller.notify(text)
    }
    queue.isTelling = false
  }

  /** Judged when it is said, not when it was asked for. */
  async #write(what: Thing | ListName): Promise<string | undefined> {
    const { id, endpoint, principal, meta } = this.#listen
    const outlook = this.#outlook
    if (outlook === undefined) return undefined
    if (typeof what === 'string') return writeListChanged(id, what)
    if (what.kind === 'uri')
      return (await this.share.run(() => this.#locate(outlook, what))) === undefined ? undefined : writeResourceUpdated(id, what.name)
    await this.share.readTurn()
    if (this.#isOver) return undefined
    const task = await outlook.readTask(endpoint.path, principal, what.name, meta)
    return task === undefined ? undefined : writeTaskNotice(id, what.name, task)
  }

  #fingerprint(outlook: Outlook, list: ListName): string {
    return outlook.fingerprint(this.#listen.endpoint.path, this.#listen.principal, list)
  }

  #locate(outlook: Outlook, { kind, name }: Thing): Located | undefined {
    const { endpoint, principal } = this.#listen
    return kind === 'uri' ? outlook.locate(endpoint.path, principal, name) : outlook.locateTask(endpoint.path, principal, name)
  }

  #closeStreams(): void {
    for (const stream of this.#streams) stream.close()
    this.#streams = []
    this.#unheard.clear()
  }
}
