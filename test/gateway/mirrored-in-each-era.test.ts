import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { EARLIER, openSession, type TestSession } from '../support/session.ts'

/** An argument that the pinned schema mirrors into a header, from callers of every revision: what travels on is written from the argument. */

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const REGION = 'Zürich, 世界'
const ENCODED = `=?base64?${Buffer.from(REGION).toString('base64')}?=`
const ARGUMENTS = { to: 'a@b.c', region: REGION }
const sentOn = () => scene.upstream.calls.at(-1)?.headers['mcp-param-region']

describe.each(EARLIER)('a caller of %s', protocolVersion => {
  let session: TestSession
  beforeAll(async () => {
    session = await openSession(scene.gateway, { protocolVersion })
  })
  const call = (args: typeof ARGUMENTS | { to: string }, header?: string) =>
    session.call('acme__send', args, header === undefined ? {} : { headers: { 'mcp-param-region': header } })

  it('needs no header, and the server gets the one that belongs to the argument', async () => {
    expect((await call(ARGUMENTS)).json.result).not.toHaveProperty('isError')
    expect(sentOn()).toBe(ENCODED)
  })

  it('may send it, in either form', async () => {
    expect((await call(ARGUMENTS, ENCODED)).json.result).not.toHaveProperty('isError')
    expect(sentOn()).toBe(ENCODED)
    expect((await call({ ...ARGUMENTS, region: 'eu' }, '=?base64?ZXU=?=')).json.result).not.toHaveProperty('isError')
    expect(sentOn()).toBe('eu')
  })

  it.each([
    ['another value', ARGUMENTS, 'eu', 'different'],
    ['another value, encoded', ARGUMENTS, '=?base64?ZXU=?=', 'different'],
    ['what is no encoding', ARGUMENTS, '=?base64?ZXU?=', 'malformed'],
    ['a value for an argument that is not there', { to: 'a@b.c' }, 'eu', 'unexpected'],
  ])('with %s in it is refused', async (_what, args, header, reason) => {
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => call(args, header), { id: 1, detail: { header: 'mcp-param-region', reason } })
  })
})

it('a modern caller needs it', async () => {
  const body = scene.body({}, { arguments: ARGUMENTS })
  await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => scene.raw({ headers: { 'Mcp-Param-Region': undefined }, body }), {
    id: 1,
    detail: { header: 'mcp-param-region', reason: 'missing' },
  })
  expect((await scene.raw({ headers: { 'Mcp-Param-Region': ENCODED }, body })).json.result).not.toHaveProperty('isError')
  expect(sentOn()).toBe(ENCODED)
})
