import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import type { UpstreamProfile } from './read-discovery.ts'

/** Listens to one upstream for changes of the lists it tells changes of. */
interface Follower {
  /** Another set of lists takes the place of the one before. */
  follow(lists: UpstreamProfile['listChanged']): void
  close(): void
}

type Listen = (filter: ListenFilter, onNews: (news: UpstreamNews) => void) => { close(): void }

/** `onHint`: something may have changed. What has, is for the next look to see. */
export function createFollower(listen: Listen, onHint: () => void): Follower {
  let open: { close(): void } | undefined
  let followed = NO_LISTS
  const onNews = ({ kind }: UpstreamNews) => {
    if (kind === 'list_changed' || kind === 'resumed') onHint()
  }
  return {
    follow({ tools, prompts, resources }) {
      if (tools === followed.tools && prompts === followed.prompts && resources === followed.resources) return
      open?.close()
      followed = { tools, prompts, resources }
      open = tools || prompts || resources ? listen({ ...followed, uris: [], taskIds: [] }, onNews) : undefined
    },
    close() {
      open?.close()
      open = undefined
    },
  }
}

const NO_LISTS: UpstreamProfile['listChanged'] = { tools: false, prompts: false, resources: false }
