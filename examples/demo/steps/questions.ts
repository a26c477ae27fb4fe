import { deepEqual, equal } from 'node:assert/strict'
import type { Demo } from '../start.ts'

/** The client asks its user, and repeats the call with the answer; the state that comes back is sealed by the gateway. */
export async function passesAQuestionOn({ callers, token }: Demo): Promise<string> {
  const asked: string[] = []
  const client = await callers.connect(await token('ben'), message => {
    asked.push(message)
    return { solution: 'Paper was out' }
  })
  const { content } = await client.callTool({ name: 'tickets__close_ticket', arguments: { id: 1 } })
  const [answer] = content
  equal(answer?.type === 'text' ? answer.text : '', 'ticket 1 is closed: Paper was out')
  deepEqual(asked, ['[tickets] How was it solved?'])
  return `"${asked[0]}"; closed`
}

export async function keepsAQuestionBack({ callers, token }: Demo): Promise<string> {
  const asked: string[] = []
  const client = await callers.connect(await token('ben'), message => {
    asked.push(message)
    return { password: 'correct horse' }
  })
  const { isError, _meta } = await client.callTool({ name: 'notes__import_notes', arguments: { mailbox: 'ben' } })
  const refusal = _meta?.['dev.wicketgate/refusal'] as { code?: string } | undefined
  deepEqual([isError, refusal?.code, asked], [true, 'VALIDATION_QUESTION', []])
  return 'VALIDATION_QUESTION; ben saw none'
}
