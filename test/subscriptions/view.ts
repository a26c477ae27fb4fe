import type { CallerStream, Principal } from '../../src/core/model.ts'
import type { ListenFilter, UpstreamNews } from '../../src/mcp/index.ts'
import type { Outlook } from '../../src/subscriptions/index.ts'

/** A caller that takes what it is told, or waits until it is let. */
export class Caller implements CallerStream {
  gone = false
  canStream = true
  isSlow = false
  readonly told: { method?: string; params: { uri?: string; notifications?: unknown } }[] = []
  #whenGone = (): void => {}
  #go = (): void => {}

  onGone(run: () => void): void {
    this.#whenGone = run
  }
  open(): void {}
  notify(message: string): Promise<void> | undefined {
    this.told.push(JSON.parse(message))
    return this.isSlow ? new Promise(resolve => (this.#go = resolve)) : undefined
  }
  take(): void {
    this.#go()
  }
  leave(): void {
    this.gone = true
    this.#whenGone()
  }
}

/** What one revision says; tests change its answers. */
export class View implements Outlook {
  maxOpen = 3
  oldest = ''
  shown: Record<string, string> = {}
  hidden = new Set<string>()
  fault: Error | undefined
  /** Aliases whose servers take their time to acknowledge. */
  late = new Set<string>()
  readonly open: { alias: string; filter: ListenFilter; say: (news: UpstreamNews) => void }[] = []

  isSpoken(_path: string, protocolVersion: string): boolean {
    return protocolVersion >= this.oldest
  }
  fingerprint(_path: string, _principal: Principal, list: string): string {
    return this.shown[list] ?? ''
  }
  locate(_path: string, _principal: Principal, uri: string) {
    if (this.fault !== undefined) throw this.fault
    const cut = uri.indexOf('+')
    return cut === -1 || this.hidden.has(uri) ? undefined : { alias: uri.slice(0, cut), inner: uri.slice(cut + 1) }
  }
  locateTask(path: string, principal: Principal, taskId: string) {
    return this.locate(path, principal, taskId)
  }
  expose(_path: string, alias: string, uri: string): string {
    return `${alias}+${uri}`
  }
  async readTask(): Promise<string | undefined> {
    return '"status":"working"'
  }
  listen(_principal: Principal, alias: string, filter: ListenFilter, say: (news: UpstreamNews) => void) {
    const stream = { alias, filter, say }
    this.open.push(stream)
    if (!this.late.has(alias)) say({ kind: 'begun' })
    return { close: () => void this.open.splice(this.open.indexOf(stream), 1) }
  }
}
