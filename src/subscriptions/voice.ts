import type { CallerStream, RequestId } from '../core/model.ts'
import {
  type ListenFilter,
  writeAcknowledged,
  writeListChanged,
  writeResourceUpdated,
  writeSessionListChanged,
  writeSessionResourceUpdated,
  writeTaskNotice,
} from '../mcp/index.ts'
import type { ListName } from './outlook.ts'

/** In which words a subscriber is told, and over what. `seen` says what it has been told of the lists by then. */
export interface Voice {
  /** Before anything else, once what is heard is known. */
  begin(heard: ListenFilter, seen: string): void
  listChanged(list: ListName, seen: string): Promise<void> | void
  resourceUpdated(uri: string, seen: string): Promise<void> | void
  taskChanged(taskId: string, membersText: string): Promise<void> | void
}

/** MCP 2026-07-28 basic/patterns/subscriptions: acknowledged first, and everything under the id of the request. */
export function createListenVoice(caller: CallerStream, id: RequestId): Voice {
  return {
    begin: heard => void caller.notify(writeAcknowledged(id, heard)),
    listChanged: list => caller.notify(writeListChanged(id, list)),
    resourceUpdated: uri => caller.notify(writeResourceUpdated(id, uri)),
    taskChanged: (taskId, membersText) => caller.notify(writeTaskNotice(id, taskId, membersText)),
  }
}

/** A session has one stream, and the revisions before have neither acknowledgments nor subscription ids. */
export function createSessionVoice(tell: (message: string | undefined, seen: string) => Promise<void> | void): Voice {
  return {
    begin: (_heard, seen) => void tell(undefined, seen),
    listChanged: (list, seen) => tell(writeSessionListChanged(list), seen),
    resourceUpdated: (uri, seen) => tell(writeSessionResourceUpdated(uri), seen),
    // Nobody in a session can ask to be told of a task.
    taskChanged: () => {},
  }
}
