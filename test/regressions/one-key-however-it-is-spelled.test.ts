/*
 * A tool takes its idempotency key from an argument, and the key is an int64 id. A number that no double holds was taken as the text
 * it was written in, so the same id written as 9007199254740993, 9007199254740993.0 or 90071992547409930e-1 was four keys, and a
 * retry through a library that writes numbers another way paid again.
 * So: a number is a key by its value; the fingerprint says the same of the arguments, so the retry gets the first answer.
 */
import { expect, it } from 'vitest'
import { META, MODERN } from '../support/gateway.ts'
import { startScene } from '../support/scene.ts'

it('runs once for every spelling of one number', async () => {
  const tools = [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }]
  const policy = '  pay: { effect: write, idempotency: { key: /id, required: true }, allow: [{ scopes: [tools:write] }] }'
  const scene = await startScene({ tools, policy })
  try {
    const send = (id: string) =>
      scene.gateway.post(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"acme__pay","arguments":{"id":${id}},"_meta":${JSON.stringify(META)}}}`,
        {
          authorization: `Bearer ${scene.gateway.token()}`,
          'mcp-protocol-version': MODERN,
          'mcp-method': 'tools/call',
          'mcp-name': 'acme__pay',
        },
      )
    const spellings = ['9007199254740993', '9007199254740993.0', '9007199254740993e0', '90071992547409930e-1']
    for (const spelling of spellings) expect((await send(spelling)).status).toBe(200)
    expect(scene.upstream.calls).toHaveLength(1)
    expect(scene.gateway.trail.requests().map(({ idempotency }) => idempotency)).toEqual(['first', 'replay', 'replay', 'replay'])
    expect((await send('9007199254740992')).status).toBe(200)
    expect(scene.upstream.calls).toHaveLength(2)
  } finally {
    await scene.close()
  }
})
