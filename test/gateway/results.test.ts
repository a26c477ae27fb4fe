import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }
const tools = ['blocked', 'warned'].map(name => ({ name, inputSchema: { type: 'object' }, outputSchema }))

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools,
    policy: `  blocked: { effect: write, allow: [{ scopes: [tools:write] }] }
  warned: { effect: write, allow: [{ scopes: [tools:write] }], result: { schema: warn } }`,
  })
})
afterAll(() => scene.close())

const answering = (result: object, name = 'blocked') => {
  scene.upstream.onCall = () => result
  return scene.gateway.call(`acme__${name}`)
}

describe('a result with an output schema', () => {
  it('passes when it fits [REQ-TOOLS-OUTPUT]', async () => {
    const answer = await answering({ content: [], structuredContent: { n: 1 } })
    expect(answer.json.result).toMatchObject({ structuredContent: { n: 1 } })
    expect(answer.json.result).not.toHaveProperty('isError')
  })

  it.each([
    ['does not fit', { content: [{ type: 'text', text: 'SECRET' }], structuredContent: { n: 'SECRET' } }],
    ['has nothing structured', { content: [{ type: 'text', text: 'SECRET' }] }],
    ['has members that were not approved', { content: [], structuredContent: { n: 1, more: 'SECRET' } }],
  ])('that %s is withheld: a notice says that the call ran [REQ-TOOLS-OUTPUT]', async (_, result) => {
    const before = scene.upstream.calls.length
    const answer = await answering(result)
    expect(answer.status).toBe(200)
    expect(answer.json.result?.isError).toBe(true)
    expect(answer.json.result?.content?.[0]?.text).toContain('The tool ran')
    expect(answer.text).not.toContain('SECRET')
    expect(scene.upstream.calls).toHaveLength(before + 1)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', withheld: 'VALIDATION_RESULT', effectStatus: 'committed' })
  })

  it('B35 that is an error passes as it is: the schema is not for it', async () => {
    const answer = await answering({ isError: true, content: [{ type: 'text', text: 'no such thing' }] })
    expect(answer.json.result).toMatchObject({ isError: true, content: [{ text: 'no such thing' }] })
  })

  it('passes where policy only warns, and the record knows', async () => {
    const answer = await answering({ content: [], structuredContent: { n: 'x' } }, 'warned')
    expect(answer.json.result).toMatchObject({ structuredContent: { n: 'x' } })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK' })
  })
})
