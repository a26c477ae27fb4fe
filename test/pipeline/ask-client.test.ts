import { describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Call, CheckedAnswerFacts, HeldEnd, Settled } from '../../src/core/model.ts'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { askClient } from '../../src/pipeline/ask-client.ts'
import type { InSession } from '../../src/pipeline/enter-session.ts'
import type { ClientResponse } from '../../src/sessions/index.ts'
import { createCaller } from '../upstream/room.ts'

/** What becomes of a call when the client that is asked does not answer as it should; the rest goes through whole gateways. */

const CALL = { meta: { capabilities: parseCapabilities({ elicitation: {} }) }, resumption: undefined } as unknown as Call
const DEADLINE = new Refusal('VALIDATION_QUESTION', {}, { reason: 'deadline' })

function settledWith(answer: CheckedAnswerFacts['answer'], effect: Settled['effect'] = 'in_progress'): Settled {
  return { outcome: { answer, isError: false, withheld: undefined }, effect, replayed: false }
}

const text = { members: '', meta: '' }
const DONE = settledWith({ kind: 'result', result: {}, text }, 'committed')

/** A question, perhaps of a server that waits for its answer. */
function asks(method = 'elicitation/create', end?: HeldEnd) {
  const refuse = vi.fn(async () => end)
  const held = end === undefined ? {} : { held: { refuse, abandoned: new Promise<undefined>(() => {}) } }
  const inputRequests: JsonObject = { q: { method, params: { message: 'm' } } }
  return { refuse, settled: settledWith({ kind: 'input_required', inputRequests, requestState: 's', text, ...held }) }
}

function admitted(ask: () => Promise<ClientResponse>): InSession {
  const rooms = { sessions: { ask }, validation: { fitsForm: () => true } }
  return { rooms, principal: { expiresAtMs: 5 }, session: {}, caller: createCaller() } as unknown as InSession
}

const refusedBy = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error)

describe('a client that is asked', () => {
  it('and does not answer in time has cancelled: the server is told, and ends as it would', async () => {
    const calls: Call[] = []
    const run = async (call: Call): Promise<Settled> => {
      calls.push(call)
      return calls.length === 1 ? asks().settled : DONE
    }
    expect(
      await askClient(
        admitted(() => Promise.reject(DEADLINE)),
        CALL,
        run,
      ),
    ).toBe(DONE)
    expect(calls[1]?.resumption).toEqual({
      requestState: 's',
      inputResponses: { q: { action: 'cancel' } },
      inputResponsesText: '{"q":{"action":"cancel"}}',
      isOurs: true,
    })
  })

  it.each([
    ['sampling/createMessage', DEADLINE],
    ['roots/list', DEADLINE],
    ['elicitation/create', new Refusal('VALIDATION_QUESTION', {}, { reason: 'session_ended' })],
  ])('by %s, for which there is no such answer, ends the request, and a server that waits is told', async (method, refusal) => {
    const { settled, refuse } = asks(method, 'committed')
    const run = vi.fn(async () => settled)
    expect(
      await refusedBy(
        askClient(
          admitted(() => Promise.reject(refusal)),
          CALL,
          run,
        ),
      ),
    ).toMatchObject({
      code: 'VALIDATION_QUESTION',
      open: { effect: 'committed' },
      detail: refusal.detail,
    })
    expect(refuse).toHaveBeenCalledOnce()
    expect(run).toHaveBeenCalledOnce()
  })

  it.each([
    ['committed', { effect: 'committed' }],
    ['unknown', { effect: 'unknown' }],
    ['not_started', { effect: 'in_progress' }],
  ] as const)('while a later leg is refused on its way has a server that waits, and is told: %s', async (end, open) => {
    const { settled, refuse } = asks('elicitation/create', end)
    let legs = 0
    const run = async (): Promise<Settled> => {
      legs += 1
      if (legs === 1) return settled
      throw new Refusal('POLICY_REFUSED', {}, { reason: 'x' })
    }
    const answered = async (): Promise<ClientResponse> => ({ kind: 'result', result: { action: 'accept' } })
    expect(await refusedBy(askClient(admitted(answered), CALL, run))).toMatchObject({ code: 'POLICY_REFUSED', open })
    expect(refuse).toHaveBeenCalledOnce()
  })

  it('is asked until its token is over, and no longer', async () => {
    const ask = vi.fn(async (): Promise<ClientResponse> => ({ kind: 'result', result: { action: 'decline' } }))
    let legs = 0
    await askClient(admitted(ask), CALL, async () => (legs++ === 0 ? asks().settled : DONE))
    expect(ask).toHaveBeenCalledWith(
      {},
      { method: 'elicitation/create', params: { message: 'm' }, untilMs: 5 },
      expect.any(Function),
      expect.any(AbortSignal),
    )
  })

  it('several things at once is asked none of the others once one cannot be', async () => {
    const signals: AbortSignal[] = []
    const settled = settledWith({
      kind: 'input_required',
      inputRequests: { a: { method: 'roots/list' }, b: { method: 'elicitation/create', params: {} } },
      requestState: 's',
      text,
    })
    const ask = async (_session: unknown, { method }: { method: string }, _send: unknown, signal: AbortSignal): Promise<ClientResponse> => {
      signals.push(signal)
      if (method === 'roots/list') return { kind: 'error', code: -1, message: '' }
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(DEADLINE)))
    }
    expect(await refusedBy(askClient(admitted(ask as never), CALL, async () => settled))).toMatchObject({
      detail: { reason: 'client_error' },
    })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
