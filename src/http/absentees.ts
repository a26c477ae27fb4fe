import { createPlaces, type Places } from '../core/places.ts'

/** A caller that loses its connection has a few, and must not hold every connection to a server; every caller of a process has some when a proxy in front of it starts anew. */
const MAX_OF_OWNER = 16
const MAX_IN_ALL = 1_024

/** For requests of sessions whose client is not there, and which go on all the same: no connection holds them, so nothing else counts them. */
export function createAbsentees(): Places {
  return createPlaces(MAX_OF_OWNER, MAX_IN_ALL)
}
