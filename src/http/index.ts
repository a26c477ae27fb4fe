/**
 * The street door: everything that is HTTP, and nothing that is not.
 * Takes Fastify requests, hands exchanges to the corridor, turns replies and refusals into HTTP, closes every record.
 * Keeps nothing but the routes.
 * Never judges a call, reads a token, or builds a URL from what a request says.
 */

export { createAbsentees } from './absentees.ts'
export { createGuests } from './guests.ts'
export { createLuggage } from './luggage.ts'
export { refuseUnrouted } from './respond.ts'
export { letGoOfSilent } from './silent-socket.ts'
export { answerSocketError } from './socket-errors.ts'
export { registerStreetDoor } from './street-door.ts'
export type { Building, House } from './visit.ts'
