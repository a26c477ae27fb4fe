import type { Meter } from '@opentelemetry/api'
import type { Audit } from '../../src/audit/index.ts'
import { createAudit, createMetrics, type Sink, type Telemetry, type Trace } from '../../src/audit/index.ts'
import type { MessageFacts } from '../../src/audit/request-trace.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Answer, CheckedAnswerFacts, Intent, Settled } from '../../src/core/model.ts'
import { answerTo, type CallProducts, checkedAnswer, endpoint, settledWith, tool } from './products.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}
export function createTestClock(startMs = Date.UTC(2026, 10, 30)): TestClock {
  let passedMs = 0
  return {
    now: () => startMs + Math.floor(passedMs),
    monotonicMs: () => passedMs,
    advance: ms => {
      passedMs += ms
    },
  }
}

export interface DeskSettings {
  readonly sink: Sink
  readonly clock?: Clock
  readonly required?: boolean
  readonly telemetry?: Telemetry
  readonly meters?: readonly Meter[]
}

export function createTestAudit({ sink, clock = createTestClock(), required = true, telemetry, meters = [] }: DeskSettings): Audit {
  const metrics = createMetrics(meters)
  return createAudit({ sink, clock, required, telemetry, metrics, digestKey: Buffer.alloc(32, 7), version: '0.0.0-test' })
}

export const begin = (audit: Audit): Trace =>
  audit.begin({ endpoint, httpMethod: 'POST', address: '192.0.2.7', revision: '0123456789abcdef' })

export const callMessage = (facts: Partial<MessageFacts> = {}): MessageFacts => ({
  method: 'tools/call',
  id: 1,
  protocolVersion: '2026-07-28',
  exposedName: tool.exposedName,
  ...facts,
})

/** The steps of a call up to its ticket. */
export async function walk(trace: Trace, products: CallProducts, message = callMessage()): Promise<void> {
  await trace.step('auth', () => products.principal)
  trace.message(message)
  await trace.step('catalog', () => tool)
  await trace.step('policy', () => products.grant)
  await trace.step('validation', () => products.checked)
  await trace.step('limits', async () => products.admission)
}

export interface CallOptions {
  readonly message?: MessageFacts
  readonly answer?: (intent: Intent) => Answer | Promise<Answer>
  readonly isError?: boolean
  readonly withheld?: 'VALIDATION_RESULT'
  /** What was found in the answer that is shown. */
  readonly found?: Pick<CheckedAnswerFacts, 'mismatch' | 'linksWithheld' | 'hiddenCharacters' | 'truncatedBytes'>
}

/** A whole call as the corridor makes it; the record is closed also when a step refuses. */
export async function runCall(audit: Audit, products: CallProducts, options: CallOptions = {}): Promise<Settled | undefined> {
  const { answer = (intent: Intent) => answerTo(intent, { content: [] }), message } = options
  const trace = begin(audit)
  try {
    await walk(trace, products, message)
    return await trace.step('idempotency', async () => {
      const intent = await trace.step('audit', () => audit.intend(products.ticket, trace))
      const said = await trace.step('upstream', () => answer(intent))
      const shown = await trace.step('result', () =>
        checkedAnswer(said, {
          isError: options.isError ?? false,
          ...(options.withheld && { withheld: options.withheld }),
          ...options.found,
        }),
      )
      return settledWith(shown)
    })
  } catch (error) {
    trace.fail(error)
    return undefined
  } finally {
    trace.close({ status: 200, bytes: 321, cancelled: false })
  }
}
