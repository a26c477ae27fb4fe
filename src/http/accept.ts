import { mediaType } from '../mcp/index.ts'

/** Callers must accept both media types; a missing Accept and wildcards are taken as that. Others get plain JSON and no notifications. */
export function isEventStreamAccepted(accept: string | undefined): boolean {
  return accept === undefined || typesIn(accept).some(type => STREAMS.has(type))
}

/** Whoever puts event streams first wants each answer as one: it has ids then, and can be had again. */
export function isEventStreamFirst(accept: string | undefined): boolean {
  return accept !== undefined && typesIn(accept)[0] === 'text/event-stream'
}

const STREAMS: ReadonlySet<string | undefined> = new Set(['text/event-stream', '*/*', 'text/*'])

function typesIn(accept: string): readonly (string | undefined)[] {
  return accept.split(',').map(mediaType)
}
