import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import type { RawRequest } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`
const mismatch = (changes: Partial<RawRequest>, detail: Record<string, unknown> = {}) =>
  expectRefused(scene, 'MCP_HEADER_MISMATCH', () => scene.raw(changes), { id: 1, detail })
const accepted = async (changes: Partial<RawRequest>): Promise<void> => {
  const answer = await scene.raw(changes)
  expect({ status: answer.status, body: answer.json }).toMatchObject({
    status: 200,
    body: { id: 1, result: { content: [{ text: 'done' }] } },
  })
  expect(scene.upstream.calls).toHaveLength(1)
}
/** The good call with this region in its arguments; `undefined` leaves it out. */
const withRegion = (region: unknown, header: string | readonly string[] | undefined): Partial<RawRequest> => ({
  headers: { 'Mcp-Param-Region': header },
  body: scene.body({}, { arguments: { to: 'a@b.c', region } }),
})

describe('standard headers', () => {
  it("A-03 a name that is not the body's is refused [REQ-HEADER-MATCH]", async () => {
    await mismatch({ headers: { 'Mcp-Name': 'acme__read' } }, { header: 'mcp-name', reason: 'different' })
    await mismatch({ headers: { 'Mcp-Method': 'tools/list' } }, { header: 'mcp-method', reason: 'different' })
  })

  it.each(['Mcp-Method', 'Mcp-Name', 'MCP-Protocol-Version'])('A-04 a call without %s is refused [REQ-HEADER-REQUIRED]', async name => {
    await mismatch({ headers: { [name]: undefined } }, { header: name.toLowerCase(), reason: 'missing' })
    await mismatch({ headers: { [name]: '' } }, { header: name.toLowerCase() })
  })

  it('A-05 the case of a header name means nothing, the case of its value does [REQ-HEADER-CASE]', async () => {
    await accepted({ headers: { 'Mcp-Name': undefined, 'mcp-NAME': 'acme__send', 'Mcp-Method': undefined, 'MCP-METHOD': 'tools/call' } })
    await mismatch({ headers: { 'Mcp-Name': 'ACME__SEND' } })
    await mismatch({ headers: { 'Mcp-Method': 'TOOLS/CALL' } })
  })

  it.each([
    ['Mcp-Name', ['acme__send', 'acme__send']],
    ['Mcp-Name', ['acme__send', 'acme__wipe']],
    ['Mcp-Name', ['acme__wipe', 'acme__send']],
    ['Mcp-Method', ['tools/call', 'tools/call']],
    ['MCP-Protocol-Version', ['2026-07-28', '2026-07-28']],
    ['Mcp-Param-Region', ['eu', 'eu']],
  ])('A-07 %s sent twice is refused: %j', async (name, values) => {
    await mismatch({ headers: { [name]: values } }, { header: name.toLowerCase(), reason: 'duplicate' })
  })

  it('a joined list is not two headers, and no name either', async () => {
    await mismatch({ headers: { 'Mcp-Name': 'acme__send, acme__send' } })
  })

  it('a name in Base64 is decoded before it is compared [REQ-HEADER-DECODE]', async () => {
    await accepted({ headers: { 'Mcp-Name': base64('acme__send') } })
    await mismatch({ headers: { 'Mcp-Name': base64('acme__read') } })
  })
})

describe('Mcp-Param headers', () => {
  it('A-10 a value in Base64 equals the argument [REQ-HEADER-DECODE]', () => accepted(withRegion('eu', '=?base64?ZXU=?=')))

  it.each([
    ['A-11 with loose trailing bits', 'Hello', '=?base64?SGVsbG9=?=', 'malformed'],
    ['A-11 without padding', 'Hello', '=?base64?SGVsbG8?=', 'malformed'],
    ['A-11 with white space inside', 'Hello', '=?base64?SGVs bG8=?=', 'malformed'],
    ['A-11 in the URL alphabet', '\u00ff\u00fe\u00ff', '=?base64?w7_Dvw==?=', 'malformed'],
    ['A-13 that is not UTF-8', '\ufffd', '=?base64?/w==?=', 'malformed'],
    ['A-15 with markers in another case', 'eu', '=?BASE64?ZXU=?=', 'different'],
    ['A-15 with an incomplete marker', 'eu', '=?base64?ZXU=', 'different'],
    ['A-16 that is empty in Base64', 'eu', '=?base64??=', 'different'],
    ['A-16 that is empty', 'eu', '', 'different'],
    ['with raw bytes above ASCII', 'é', 'é', 'malformed'],
    ['in another case', 'eu', 'EU', 'different'],
  ])('a value %s is refused [REQ-HEADER-PARAM-MATCH]', async (_, region, header, reason) => {
    await mismatch(withRegion(region, header), { header: 'mcp-param-region', reason })
  })

  it.each([
    ['A-15 literal markers in another case are text', '=?BASE64?ZXU=?=', '=?BASE64?ZXU=?='],
    ['A-15 an incomplete marker is text', '=?base64?ZXU=', '=?base64?ZXU='],
    ['A-16 an empty argument has an empty header', '', ''],
    ['A-16 an empty argument may be encoded', '', '=?base64??='],
    ['Unicode travels in Base64', 'Grüße, 世界 🌍', base64('Grüße, 世界 🌍')],
    ['text that looks encoded is encoded', '=?base64?ZXU=?=', base64('=?base64?ZXU=?=')],
    ['a byte order mark is kept', '\ufeffeu', base64('\ufeffeu')],
  ])('%s', async (_, region, header) => {
    await accepted(withRegion(region, header))
  })

  it('one that is missing is refused, one without an argument too [REQ-HEADER-PARAM-MISSING] [REQ-HEADER-PARAM-NULL]', async () => {
    await mismatch(withRegion('eu', undefined), { reason: 'missing' })
    await mismatch(withRegion(undefined, 'eu'), { reason: 'unexpected' })
    await accepted(withRegion(undefined, undefined))
  })

  it('unknown ones mean nothing and travel nowhere', async () => {
    await accepted({ lines: ['Mcp-Param-Tenant: a', 'Mcp-Param-Tenant: b', 'Mcp-Param-: x'] })
    expect(Object.keys(scene.upstream.calls[0]?.headers ?? {}).filter(name => name.startsWith('mcp-param'))).toEqual(['mcp-param-region'])
  })

  it('are written anew for the upstream, in their own spelling', async () => {
    await accepted(withRegion('eu', '=?base64?ZXU=?='))
    expect(scene.upstream.calls[0]?.headers['mcp-param-region']).toBe('eu')
  })
})

describe('A-17 a tool whose descriptor is not known', () => {
  it('any more, since its lock is gone, is not callable: without its definitions no header can be checked, so none is skipped', async () => {
    const own = await startScene()
    try {
      const region = { headers: { 'Mcp-Param-Region': 'eu' }, body: own.body({}, { arguments: { to: 'a@b.c', region: 'us' } }) }
      await expectRefused(own, 'MCP_HEADER_MISMATCH', () => own.raw(region), { id: 1 })
      const loads = () => own.gateway.trail.records().filter(({ event }) => event === 'lock.loaded').length
      await eventuallyHolds(() => expect(loads()).toBe(1))
      await rm(join(own.gateway.folder, 'pins', 'acme.lock.json'))
      await eventuallyHolds(() => expect(loads()).toBe(2))
      own.upstream.calls.length = 0
      await expectRefused(own, 'CATALOG_UNKNOWN_TOOL', () => own.raw(region), { id: 1 })
      await expectRefused(own, 'CATALOG_UNKNOWN_TOOL', () => own.raw(), { id: 1 })
    } finally {
      await own.close()
    }
  })

  it('is not callable, whatever Mcp-Param headers say', async () => {
    const body = scene.body({}, { name: 'acme__gone', arguments: { tenant: 'b' } })
    await expectRefused(
      scene,
      'CATALOG_UNKNOWN_TOOL',
      () => scene.raw({ headers: { 'Mcp-Name': 'acme__gone', 'Mcp-Param-Region': undefined, 'Mcp-Param-Tenant': 'a' }, body }),
      { id: 1 },
    )
  })
})
