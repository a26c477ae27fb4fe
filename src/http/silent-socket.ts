import type { Socket } from 'node:net'
import { openResponseOn } from './visit.ts'

/**
 * Nothing has moved on this connection for a while. That is no fault as long as we owe an answer; but a caller that does not take what it
 * was sent would hold its bytes, and the policy revision it came under, for ever. An idle connection ends here too.
 */
export function letGoOfSilent(socket: Socket): void {
  const response = openResponseOn(socket)
  // Bytes that wait, however few: in all this time none of them was taken.
  const owesAnswer = response !== undefined && !response.writableEnded && response.writableLength === 0 && !socket.writableEnded
  // Once more: Node tells this once, and the answer of a request behind this one moves nothing.
  if (owesAnswer) socket.setTimeout(socket.timeout ?? 0)
  else socket.destroy()
}
