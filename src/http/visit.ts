import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trace } from '../audit/index.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { ERRORS } from '../core/errors.ts'
import type { Exchange, Rooms } from '../pipeline/index.ts'
import type { EventStream, StreamSettings } from './caller-stream.ts'
import type { Guests } from './guests.ts'
import type { Luggage } from './luggage.ts'

/** One HTTP request, from its first byte to its record. `exchange` exists once it stands at an endpoint with a sane header section. */
export interface Visit {
  readonly house: House
  readonly endpoint: EndpointConfig | undefined
  readonly trace: Trace
  exchange: StreamedExchange | undefined
  /** True while the corridor works on it: then the corridor closes the record, not the connection's end. */
  busy: boolean
  /** It goes on under later revisions and is nobody's guest any more. */
  outlives: boolean
  /** Gives back the room that its body takes, where that is large. */
  unload: (() => void) | undefined
  isClosed: boolean
  isThrough: boolean
}

/** An exchange whose caller can be answered as a stream. */
export type StreamedExchange = Exchange & { readonly caller: EventStream }

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit
  }
}

/** What changes when a policy revision is swapped in; a visit keeps what it entered with. */
export interface House {
  readonly rooms: Rooms
  readonly endpoints: ReadonlyMap<string, EndpointConfig>
  /** Lower-case names of caller headers that some upstream receives. */
  readonly forwardHeaders: ReadonlySet<string>
  /** Whoever is inside: connections of its upstreams stay open until the last one has left. */
  readonly guests: Guests
}

/** The house as it stands now. */
export interface Building {
  current(): House
  isDraining(): boolean
  readonly streams: StreamSettings
  readonly luggage: Luggage
  /** How long a caller may take nothing of an answer, or of a stream; then its connection is closed, and what it holds at the upstream is let go. */
  readonly stallMs: number
}

interface OnSocket {
  readonly visit: Visit
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const lastOn = new WeakMap<Socket, OnSocket>()
const openOn = new WeakMap<Socket, Set<ServerResponse>>()

/** The last request that began on this connection. */
export function visitOn(socket: Socket): OnSocket | undefined {
  return lastOn.get(socket)
}

/** The answer that this connection waits for: with pipelined requests the oldest that is not over. */
export function openResponseOn(socket: Socket): ServerResponse | undefined {
  const [oldest] = openOn.get(socket) ?? []
  return oldest
}

function addOpen(socket: Socket, response: ServerResponse): Set<ServerResponse> {
  let open = openOn.get(socket)
  if (open === undefined) {
    open = new Set()
    openOn.set(socket, open)
  }
  return open.add(response)
}

/** Opens the record of a request, before anything is judged. */
export function openVisit(building: Building, request: FastifyRequest, reply: FastifyReply): House {
  const house = building.current()
  const query = request.url.indexOf('?')
  const endpoint = house.endpoints.get(query === -1 ? request.url : request.url.slice(0, query))
  const trace = house.rooms.audit.begin({
    endpoint,
    httpMethod: request.method,
    address: request.socket.remoteAddress ?? '',
    revision: house.rooms.configuration.revision,
  })
  const { guests } = house
  const visit: Visit = {
    house,
    endpoint,
    trace,
    exchange: undefined,
    busy: false,
    outlives: false,
    unload: undefined,
    isClosed: false,
    isThrough: false,
  }
  request.visit = visit
  const { raw } = reply
  lastOn.set(request.socket, { visit, request: request.raw, response: raw })
  const open = addOpen(request.socket, raw)
  guests.enter()
  // The safety net: a caller that leaves while its body is on the way reaches no handler and no error handler.
  raw.once('close', () => {
    open.delete(raw)
    if (!visit.outlives) guests.leave()
    visit.isClosed = true
    visit.exchange?.caller.close()
    unload(visit)
    const status = raw.headersSent ? raw.statusCode : ERRORS.CALLER_GONE.status
    if (!visit.busy) trace.close({ status, bytes: 0, cancelled: !raw.writableFinished })
  })
  return house
}

/** Its body is there for as long as its answer is on the way, or the corridor works on it; a connection that stays open keeps none of it. */
export function unload(visit: Visit): void {
  if (!visit.isClosed || (visit.busy && !visit.isThrough)) return
  visit.unload?.()
  visit.unload = undefined
  if (visit.isThrough) visit.exchange = undefined
}

/** From here on the house may close behind it: it leaves as the corridor's guest and as the connection's. */
export function outlive(visit: Visit): void {
  if (visit.outlives) return
  visit.outlives = true
  visit.house.guests.leave()
  visit.house.guests.leave()
}
