import type { UpstreamNews } from '../mcp/index.ts'

/** Shortest time between two tellings of the same thing. */
const WINDOW_MS = 250

/**
 * Tells each thing at once, and what is said of it again within the window once more when the window ends, the latest word: an upstream
 * that repeats itself ten thousand times a second is heard four times.
 */
export class NewsWindow {
  readonly #onNews: (news: UpstreamNews) => void
  /** What was told in this window, with what has been said of it since. */
  #told = new Map<string, UpstreamNews | undefined>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(onNews: (news: UpstreamNews) => void) {
    this.#onNews = onNews
  }

  take(news: UpstreamNews): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => this.#turn(), WINDOW_MS).unref()
    const key = keyOf(news)
    if (this.#told.has(key)) {
      this.#told.set(key, news)
      return
    }
    this.#told.set(key, undefined)
    this.#onNews(news)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #turn(): void {
    this.#timer = undefined
    const said = this.#told
    this.#told = new Map()
    for (const news of said.values()) if (news !== undefined) this.take(news)
  }
}

function keyOf(news: UpstreamNews): string {
  switch (news.kind) {
    case 'list_changed':
      return `list ${news.list}`
    case 'resource_updated':
      return `uri ${news.uri}`
    case 'task':
      return `task ${news.taskId}`
    case 'begun':
    case 'resumed':
      return news.kind
  }
}
