import type { Handshake } from '../../mcp/index.ts'
import { unreachable } from '../judge.ts'
import type { Conversation } from './conversation.ts'

/** A conversation, for as long as it is used: it is not ended for idleness before `release`. */
export interface Lease {
  readonly conversation: Conversation
  readonly handshake: Handshake
  /** When it was begun. */
  readonly sinceMs: number
  release(): void
}

export interface Begun {
  readonly conversation: Conversation
  readonly handshake: Handshake
}

interface Entry {
  /** Shared by all who ask first at the same time. */
  readonly begun: Promise<Begun>
  conversation: Conversation | undefined
  readonly sinceMs: number
  users: number
  idleTimer: NodeJS.Timeout | undefined
}

export interface ConversationsOptions {
  /** Ended after so long without a use; `undefined`: never. */
  readonly idleMs: number | undefined
  readonly max: number
  readonly nowMs: () => number
}

/** The conversations with one upstream under one credential, by who uses them. Few are made: each is a session that the server has to keep. */
export class Conversations {
  readonly #options: ConversationsOptions
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  /** No longer found by name, and closed when the last who uses them is done. */
  readonly #leaving = new Set<Entry>()
  readonly #ending = new Set<Promise<void>>()
  #isClosing = false
  #whenLeft: (() => void) | undefined

  constructor(options: ConversationsOptions) {
    this.#options = options
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size + this.#leaving.size
  }

  /** `begin` is called where there is none by that name, or it is over. Throws what it throws, and then none is kept. */
  async take(name: string, begin: () => Promise<Begun>): Promise<Lease> {
    if (this.#isClosing) throw unreachable('closing')
    const known = this.#entries.get(name)
    const isGood = known !== undefined && known.conversation?.isOver !== true
    if (known !== undefined && !isGood) this.#dismiss(name, known)
    const entry = isGood ? known : this.#add(begin)
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    entry.users += 1
    clearTimeout(entry.idleTimer)
    try {
      const { conversation, handshake } = await entry.begun
      entry.conversation = conversation
      let isReleased = false
      const release = (): void => {
        if (isReleased) return
        isReleased = true
        this.#release(name, entry)
      }
      return { conversation, handshake, sinceMs: entry.sinceMs, release }
    } catch (error) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      // Dismissed while it was being begun: nobody is left to release it.
      if (this.#leaving.delete(entry)) this.#whenLeft?.()
      throw error
    }
  }

  /** Takes nothing new; resolves when all that is in use has been released, and the server was told of each end. */
  async drain(): Promise<void> {
    this.#isClosing = true
    for (const [name, entry] of [...this.#entries]) this.#dismiss(name, entry)
    while (this.#leaving.size > 0) {
      await new Promise<void>(resolve => {
        this.#whenLeft = resolve
      })
    }
    await Promise.all(this.#ending)
  }

  /** Ends all of them now. Those that are being begun end with their connections, and are not waited for. */
  async close(): Promise<void> {
    this.#isClosing = true
    const all = [...this.#entries.values(), ...this.#leaving]
    this.#entries.clear()
    this.#leaving.clear()
    for (const entry of all) {
      if (entry.conversation === undefined) void end(entry)
      else this.#end(entry)
    }
    this.#whenLeft?.()
    await Promise.all(this.#ending)
  }

  #add(begin: () => Promise<Begun>): Entry {
    if (this.size >= this.#options.max) this.#makeRoom()
    return { begun: begin(), conversation: undefined, sinceMs: this.#options.nowMs(), users: 0, idleTimer: undefined }
  }

  /** Nobody's session is taken from under a call of theirs. */
  #makeRoom(): void {
    for (const [name, entry] of this.#entries) {
      if (entry.users > 0) continue
      this.#dismiss(name, entry)
      return
    }
    throw unreachable('sessions')
  }

  #release(name: string, entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (this.#leaving.delete(entry)) {
      this.#end(entry)
      this.#whenLeft?.()
    } else if (this.#entries.get(name) !== entry) return
    else if (entry.conversation?.isOver === true) this.#dismiss(name, entry)
    else if (this.#options.idleMs !== undefined) {
      entry.idleTimer = setTimeout(() => this.#dismiss(name, entry), this.#options.idleMs).unref()
    }
  }

  #dismiss(name: string, entry: Entry): void {
    clearTimeout(entry.idleTimer)
    this.#entries.delete(name)
    entry.conversation?.retire()
    if (entry.users > 0) this.#leaving.add(entry)
    else this.#end(entry)
  }

  #end(entry: Entry): void {
    const ending = end(entry).finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}

async function end({ begun, idleTimer }: Entry): Promise<void> {
  clearTimeout(idleTimer)
  try {
    await (await begun).conversation.close()
  } catch {
    // It never began, and whoever asked for it was told.
  }
}
