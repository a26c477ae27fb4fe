/*
 * A rule bound the argument `/tenant` to the caller's own: `equalsClaim: org`. For users of no organization the identity provider
 * wrote `"org": null` (others write ""). Such a caller sent `"tenant": null`; null equals null, the call was allowed, and the server
 * behind it read "no tenant" as "all tenants".
 * So: a claim that is null or empty equals nothing.
 */
import { expect, it } from 'vitest'
import { startScene } from '../support/scene.ts'

it.each([null, ''])('%j in the token and in the arguments is a no', async nothing => {
  const scene = await startScene({
    tools: [{ name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }],
    policy: '  find: { effect: read, allow: [{ scopes: [tools:read], when: [{ argument: /tenant, equalsClaim: unit }] }] }',
  })
  const find = (tenant: string | null, unit: unknown) =>
    scene.gateway.call('acme__find', { tenant }, { token: scene.gateway.token('tools:read', { unit }) })
  try {
    expect((await find(nothing, nothing)).json.result).toMatchObject({ isError: true })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'POLICY_REFUSED' })
    expect(scene.upstream.calls).toHaveLength(0)
    expect((await find('a', 'a')).json.result?.isError).toBeUndefined()
  } finally {
    await scene.close()
  }
})
