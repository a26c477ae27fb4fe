import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const LOOSE = { name: 'echo', inputSchema: { type: 'object', properties: { id: { type: 'integer' }, ratio: { type: 'number' } } } }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ tools: [LOOSE], policy: '  echo: { effect: read, allow: [{ scopes: [tools:read] }] }' })
})
afterAll(() => scene.close())

const NUMBERS = [
  '9007199254740993',
  '-9223372036854775808',
  '18446744073709551615',
  '0.1000000000000000055511151231257827',
  '1.0',
  '1e2',
  '100000000000000000000000000000001',
  '-0',
]

const send = (argumentsText: string) => {
  const body = scene.body({}, { name: 'acme__echo', arguments: 0 }).replace('"arguments":0', `"arguments":${argumentsText}`)
  return scene.raw({ headers: { 'Mcp-Name': 'acme__echo', 'Mcp-Param-Region': undefined }, body })
}

describe('A-32 a number that a double cannot hold', () => {
  it.each(NUMBERS)('reaches the upstream digit for digit: %s', async digits => {
    const text = `{"ratio":${digits},"more":[{"n":${digits}}]}`
    expect((await send(text)).json.result).not.toHaveProperty('isError')
    expect(scene.upstream.calls.at(-1)?.body).toContain(`"arguments":${text}`)
  })

  it.each(NUMBERS)('reaches the caller digit for digit: %s', async digits => {
    const members = `"structuredContent":{"id":${digits},"list":[${digits}]},"content":[]`
    scene.upstream.onCall = ({ message }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(`{"jsonrpc":"2.0","id":${message.id},"result":{${members}}}`)
    }
    expect((await send('{}')).text).toContain(members)
  })

  it('also when the answer is an event stream', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.end(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"structuredContent":{"id":9007199254740993}}}\n\n`)
    }
    expect((await send('{}')).text).toContain('"structuredContent":{"id":9007199254740993}')
  })

  it('beyond every double is not JSON', async () => {
    const answer = await send('{"ratio":1e999}')
    expect(answer).toMatchObject({ status: 400, json: { error: { code: -32700 } } })
  })
})

describe('text of arguments and results', () => {
  it('keeps its order, spacing and escapes on the way up', async () => {
    const text = '{ "z" : "\\u0041\\/" ,\t"a": [ 1 , 2.50 ],"\\u00e9":"é" }'
    await send(text)
    expect(scene.upstream.calls.at(-1)?.body).toContain(`"arguments":${text}`)
  })
})
