import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SeenRequest } from '../support/upstream-stub.ts'
import { eventHead, final, progress, startWire, type WireScene, writeEvent } from './scene.ts'

let scene: WireScene
const held: (() => void)[] = []
beforeAll(async () => {
  // Answers come in the reverse order of the calls, fifty at a time.
  scene = await startWire(({ message }: SeenRequest, response) => {
    held.push(() => {
      const { who } = message.params.arguments as { readonly who: string }
      const token = (message.params._meta as { readonly progressToken?: unknown }).progressToken
      if (token === undefined) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(final(message.id, who)))
        return
      }
      eventHead(response)
      writeEvent(response, progress(token, 1, who))
      setImmediate(() => {
        writeEvent(response, final(message.id, who))
        response.end()
      })
    })
    if (held.length === 50) for (const answer of held.splice(0).reverse()) answer()
  })
})
afterAll(() => scene.close())

describe('callers that all say id 1 and progress token "p"', () => {
  // B75, A-83
  it('each get their own answer and their own progress', async () => {
    const tokens = ['ann', 'bob'].map(sub => scene.gateway.token('tools:read tools:write', { sub }))
    const calls = Array.from({ length: 50 }, async (_, index) => {
      const who = `caller ${index}`
      const call = await scene.stream(index % 5 === 0 ? 'write' : 'read', {
        id: 1,
        token: tokens[index % 2] as string,
        args: { who },
        ...(index % 3 === 0 ? {} : { meta: { progressToken: 'p' } }),
      })
      return { index, who, answers: index % 3 === 0 ? [JSON.parse(await call.text())] : await call.rest() }
    })
    for (const { index, who, answers } of await Promise.all(calls)) {
      expect(answers.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: who }] } })
      if (index % 3 !== 0) {
        expect(answers).toHaveLength(2)
        expect(answers[0]).toMatchObject({ params: { progressToken: 'p', message: who } })
      }
    }
    const ids = scene.upstream.calls.map(({ message }) => message.id)
    expect(new Set(ids).size).toBe(50)
    const upstreamTokens = scene.upstream.calls.map(({ message }) => (message.params._meta as Record<string, unknown>).progressToken)
    expect(upstreamTokens).not.toContain('p')
  })
})
