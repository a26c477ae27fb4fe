import { equal, match, ok } from 'node:assert/strict'
import type { Demo } from '../start.ts'

const PAGE = 'handbook+file:///parking'

export async function readsAPage({ callers, token }: Demo): Promise<string> {
  const client = await callers.connect(await token('ada'))
  const { resources } = await client.listResources()
  ok(resources.some(({ uri }) => uri === PAGE))
  const { contents } = await client.readResource({ uri: PAGE })
  const [page] = contents
  equal(page !== undefined && 'text' in page ? page.text : '', 'Everybody likes parking.')
  equal(page?.uri, PAGE)
  return PAGE
}

/** Ada may read that page. What notes points at is looked for at notes all the same, and there is no such thing. */
export async function followsALink({ callers, token }: Demo): Promise<string> {
  const client = await callers.connect(await token('ada'))
  const { content } = await client.callTool({ name: 'notes__find_notes', arguments: { word: 'garage' } })
  const link = content.find(block => block.type === 'resource_link')
  equal(link?.uri, `notes+${PAGE}`)
  const { body } = await callers.send(await token('ada'), 'resources/read', { uri: link?.uri })
  match(body.error?.message ?? '', /^Resource not found/)
  return `${link?.uri}: not found`
}

export async function getsAPrompt({ callers, token }: Demo): Promise<string> {
  const client = await callers.connect(await token('ada'))
  const ref = { type: 'ref/prompt' as const, name: 'handbook__directions' }
  const { completion } = await client.complete({ ref, argument: { name: 'office', value: 'Be' } })
  equal(completion.values.join(' '), 'Belgrade Bergen')
  const { messages } = await client.getPrompt({ name: ref.name, arguments: { office: 'Bergen' } })
  const [message] = messages
  equal(message?.content.type === 'text' ? message.content.text : '', 'How do I get to Bergen?')
  return `Be → ${completion.values.join(', ')}`
}
