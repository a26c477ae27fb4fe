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

const LISTS: readonly ListName[] = ['tools', 'prompts', 'resources']
/** The longest a timer of Node can be set for. */
const MAX_TIMER_MS = 2_147_483_647
const MAX_DUE = 1_000
/** How long a caller waits for upstreams that do not say whether they are listened to. */
const MAX_ACK_MS = 1_000

/** One open `subscriptions/listen` (MCP 2026-07-28 basic/patterns/subscriptions). */
export class Subscription {
  readonly ended: Promise<void>
  readonly person: string
  #resolve!: () => void
  readonly #listen: Listen
  readonly #lists: readonly ListName[]
  readonly #fingerprints = new Map<ListName, string>()
  readonly #expiry: NodeJS.Timeout
  #outlook: Outlook | undefined
  /** What was acknowledged: nothing else is ever told. */
  #uris: readonly string[] = []
  #taskIds: readonly string[] = []
  /** By upstream; the streams that carry its news. */
  #streams: { close(): void }[] = []
  /** Upstreams that have not said yet that they are listened to. */
  readonly #unheard = new Set<string>()
  #isAcknowledged = false
  #ackTimer: NodeJS.Timeout | undefined
  /** What is still to be said: each thing once, however often it happens before a slow caller takes it. */
  readonly #due = new Set<string>()
  #isTelling = false
  #isOver = false

  constructor(listen: Listen, clock: Clock) {
    this.#listen = listen
    this.person = personOf(listen.principal)
    this.#lists = LISTS.filter(list => listen.wanted[list])
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
    const { caller, wanted } = this.#listen
    if (!caller.canStream) {
      clearTimeout(this.#expiry)
      throw new Refusal('HTTP_NOT_ACCEPTABLE', { notProcessed: true })
    }
    this.#uris = wanted.uris.filter(uri => this.#locate(outlook, uri) !== undefined)
    this.#taskIds = wanted.taskIds.filter(taskId => this.#locateTask(outlook, taskId) !== undefined)
    for (const list of this.#lists) this.#fingerprints.set(list, this.#fingerprint(outlook, list))
    caller.open()
    this.#follow(outlook)
    if (this.#unheard.size === 0) this.#acknowledge()
    else this.#ackTimer = setTimeout(() => this.#acknowledge(), MAX_ACK_MS).unref()
    caller.onGone(() => this.end())
  }

  #acknowledge(): void {
    if (this.#isAcknowledged) return
    this.#isAcknowledged = true
    clearTimeout(this.#ackTimer)
    const { caller, id, wanted } = this.#listen
    void caller.notify(writeAcknowledged(id, { ...wanted, uris: this.#uris, taskIds: this.#taskIds }))
    this.#tellAll()
  }

  /** Hears the same under another revision. What is said between two streams goes unheard, so all of it counts as changed once the next one stands. */
  move(outlook: Outlook): void {
    if (this.#isOver) return
    this.#closeStreams()
    this.#follow(outlook)
  }

  #follow(outlook: Outlook): void {
    this.#outlook = outlook
    const byAlias = new Map<string, { uris: string[]; taskIds: string[] }>()
    const wantedOf = (alias: string) => {
      const found = byAlias.get(alias) ?? { uris: [], taskIds: [] }
      byAlias.set(alias, found)
      return found
    }
    for (const uri of this.#uris) {
      const located = this.#locate(outlook, uri)
      if (located !== undefined) wantedOf(located.alias).uris.push(located.inner)
    }
    for (const taskId of this.#taskIds) {
      const located = this.#locateTask(outlook, taskId)
      if (located !== undefined) wantedOf(located.alias).taskIds.push(located.inner)
    }
    for (const alias of byAlias.keys()) this.#unheard.add(alias)
    for (const [alias, { uris, taskIds }] of byAlias) {
      const filter: ListenFilter = { tools: false, prompts: false, resources: false, uris, taskIds }
      this.#streams.push(outlook.listen(this.#listen.principal, alias, filter, news => this.#hear(alias, news)))
    }
  }

  /** Tells of each list that this caller now sees differently. */
  compare(outlook: Outlook): void {
    if (this.#isOver) return
    for (const list of this.#lists) {
      const now = this.#fingerprint(outlook, list)
      if (this.#fingerprints.get(list) === now) continue
      this.#fingerprints.set(list, now)
      this.#say(`list ${list}`)
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
        this.#say(`uri ${outlook.expose(this.#listen.endpoint.path, alias, news.uri)}`)
        break
      case 'task':
        this.#catchUp(located => located.alias === alias && located.inner === news.taskId, [])
        break
      case 'begun':
      case 'resumed':
        // Nobody knows what was said meanwhile: whoever cares looks again. Before the acknowledgment nobody has looked yet.
        if (this.#isAcknowledged) this.#catchUp(located => located.alias === alias)
        else if (this.#unheard.delete(alias) && this.#unheard.size === 0) this.#acknowledge()
        break
      case 'list_changed':
        break
    }
  }

  #catchUp(isMeant: (located: Located) => boolean, uris = this.#uris): void {
    const outlook = this.#outlook
    if (outlook === undefined) return
    for (const uri of uris) {
      const located = this.#locate(outlook, uri)
      if (located !== undefined && isMeant(located)) this.#say(`uri ${uri}`)
    }
    for (const taskId of this.#taskIds) {
      const located = this.#locateTask(outlook, taskId)
      if (located !== undefined && isMeant(located)) this.#say(`task ${taskId}`)
    }
  }

  #say(what: string): void {
    this.#due.add(what)
    // An upstream chooses what it names, and a caller how slowly it reads: who is this far behind begins again.
    if (this.#due.size > MAX_DUE) this.end()
    else this.#tellAll()
  }

  #tellAll(): void {
    // A fault of ours ends this subscription, not the process.
    if (this.#isAcknowledged && !this.#isTelling) this.#tell().catch(() => this.end())
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    for (const what of this.#due) {
      this.#due.delete(what)
      const text = await this.#write(what)
      if (this.#isOver) break
      if (text !== undefined) await this.#listen.caller.notify(text)
    }
    this.#isTelling = false
  }

  /** Judged when it is said, not when it was asked for. */
  async #write(what: string): Promise<string | undefined> {
    const { id, endpoint, principal, meta } = this.#listen
    const outlook = this.#outlook
    const [kind, rest] = [what.slice(0, what.indexOf(' ')), what.slice(what.indexOf(' ') + 1)]
    if (outlook === undefined) return undefined
    if (kind === 'list') return writeListChanged(id, rest as ListName)
    if (kind === 'uri') return this.#locate(outlook, rest) === undefined ? undefined : writeResourceUpdated(id, rest)
    const task = await outlook.readTask(endpoint.path, principal, rest, meta)
    return task === undefined ? undefined : writeTaskNotice(id, rest, task)
  }

  #fingerprint(outlook: Outlook, list: ListName): string {
    return outlook.fingerprint(this.#listen.endpoint.path, this.#listen.principal, list)
  }

  #locate(outlook: Outlook, uri: string): Located | undefined {
    return outlook.locate(this.#listen.endpoint.path, this.#listen.principal, uri)
  }

  #locateTask(outlook: Outlook, taskId: string): Located | undefined {
    return outlook.locateTask(this.#listen.endpoint.path, this.#listen.principal, taskId)
  }

  #closeStreams(): void {
    for (const stream of this.#streams) stream.close()
    this.#streams = []
    this.#unheard.clear()
  }
}
