import { expect } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts'
import { eventuallyHolds } from './eventually.ts'
import type { Answer, TestGateway } from './gateway.ts'
import type { UpstreamStub } from './upstream-stub.ts'

export interface RefusalScene {
  readonly gateway: Pick<TestGateway, 'trail'>
  /** Every server behind the gateway: none of them may see the call. */
  readonly upstreams: readonly UpstreamStub[]
}

export interface RefusalExpectation {
  /** Where they are not the catalogue's. */
  readonly status?: number
  readonly rpc?: number
  readonly text?: string | RegExp
  /** The JSON-RPC id the answer must carry; without it an error must have none. */
  readonly id?: string | number
  /** Calls that the upstream is expected to see all the same. */
  readonly calls?: number
  /** Members of the record's detail. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Sends something that must be refused, and asserts the three things a refusal consists of: its code (status, JSON-RPC code and
 * text as the catalogue has them), that no upstream saw a call, and one record of the request with that outcome.
 */
export async function expectRefused(
  { gateway, upstreams }: RefusalScene,
  code: ErrorCode,
  send: () => Promise<Answer>,
  expected: RefusalExpectation = {},
): Promise<Answer> {
  const callsBefore = countCalls(upstreams)
  const recordsBefore = gateway.trail.requests().length
  const answer = await send()
  expectAnswer(answer, code, expected)
  expect(countCalls(upstreams) - callsBefore, 'calls that reached an upstream').toBe(expected.calls ?? 0)
  await eventuallyHolds(() => expect(gateway.trail.requests().length, 'records written').toBeGreaterThan(recordsBefore))
  const records = gateway.trail.requests().slice(recordsBefore)
  expect(records.map(({ outcome }) => outcome)).toEqual([code])
  expect(records[0]?.status).toBe(answer.status)
  if (expected.detail !== undefined) expect(records[0]?.detail).toMatchObject(expected.detail)
  return answer
}

function expectAnswer(answer: Answer, code: ErrorCode, expected: RefusalExpectation): void {
  const entry = ERRORS[code]
  // The catalogue's status of a tool result is that of other methods, which have no such form.
  const status = entry.deliver === 'tool' && expected.rpc === undefined ? 200 : entry.status
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status: expected.status ?? status })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/)
  const { json } = answer
  const text = expected.text ?? (code === 'CATALOG_UNKNOWN_TOOL' ? /^Unknown tool: / : entry.text)
  if (entry.deliver === 'http') {
    expect(json).toEqual({ error: expect.objectContaining({ code, errorId: expect.any(String) }) })
    expectText(json.error?.message, text)
  } else if (entry.deliver === 'tool' && expected.rpc === undefined) {
    expect(json).toMatchObject({
      id: expected.id ?? 1,
      result: { isError: true, _meta: { 'dev.wicketgate/refusal': { code, errorId: expect.any(String) } } },
    })
    expectText(json.result?.content?.[0]?.text, text)
  } else {
    expect(json).toMatchObject({ jsonrpc: '2.0', error: { code: expected.rpc ?? entry.rpc } })
    expect('id' in json ? json.id : undefined).toBe(expected.id)
    expectText(json.error?.message, text)
  }
}

function expectText(actual: string | undefined, expected: string | RegExp): void {
  if (typeof expected === 'string') expect(actual).toBe(expected)
  else expect(actual).toMatch(expected)
}

const countCalls = (upstreams: readonly UpstreamStub[]): number => upstreams.reduce((sum, { calls }) => sum + calls.length, 0)
