/**
 * The corridor: one POST in handle.ts, what it asks of an upstream in ask.ts, one line per step, in order. The only code that knows two rooms.
 * Takes an exchange and a body; returns the reply, or throws the `Refusal` of the first step that said no.
 * Keeps nothing.
 * Never touches an HTTP reply, and never decides anything itself.
 */
export { endSession } from './end-session.ts'
export { authenticate } from './enter.ts'
export { enterSession, type InSession } from './enter-session.ts'
export type { Caller, Exchange } from './exchange.ts'
export { askOfTask } from './follow-task.ts'
export { handle } from './handle.ts'
export { hear } from './hear.ts'
export type { Rooms } from './rooms.ts'
