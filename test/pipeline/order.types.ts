/**
 * Steps in the wrong order do not compile. Not run: `npm run typecheck` fails when one of these lines becomes legal.
 */
import type { EndpointConfig } from '../../src/core/configuration.ts'
import type {
  Admission,
  AdmissionFacts,
  Answer,
  AnswerFacts,
  ApprovedItem,
  ApprovedItemFacts,
  Call,
  CallerStream,
  CheckedAnswer,
  CheckedAnswerFacts,
  CheckedCall,
  CheckedCallFacts,
  Grant,
  GrantFacts,
  Intent,
  IntentFacts,
  Principal,
  PrincipalFacts,
  ResumedCall,
  ResumedCallFacts,
  SealedAnswer,
  Ticket,
  TicketFacts,
} from '../../src/core/model.ts'
import type { Rooms } from '../../src/pipeline/index.ts'

type Trace = Parameters<Rooms['audit']['intend']>[1]
declare const rooms: Pick<Rooms, 'policy' | 'validation' | 'state' | 'limits' | 'idempotency' | 'audit' | 'upstream'>
declare const caller: CallerStream
declare const endpoint: EndpointConfig
declare const trace: Trace

/** The right order, so that the wrong ones below fail for their order and not for a slip. */
export async function inOrder(principal: Principal, tool: ApprovedItem, call: Call): Promise<void> {
  const grant: Grant = rooms.policy.grant(principal, tool, call)
  const checked: CheckedCall = rooms.validation.checkCall(grant)
  const resumed: ResumedCall = rooms.state.resume(endpoint, checked)
  const admission: Admission = await rooms.limits.admit(resumed)
  await rooms.idempotency.once(admission, async (ticket: Ticket): Promise<SealedAnswer> => {
    const intent: Intent = await rooms.audit.intend(ticket, trace)
    const answer: Answer = await rooms.upstream.send(intent, caller)
    const result: CheckedAnswer = rooms.validation.checkResult(answer)
    return rooms.state.seal(endpoint, intent, result)
  })
}

export function handedOnTooEarly(
  principal: Principal,
  tool: ApprovedItem,
  call: Call,
  grant: Grant,
  checked: CheckedCall,
  admission: Admission,
  ticket: Ticket,
  intent: Intent,
  answer: Answer,
  result: CheckedAnswer,
): void {
  // @ts-expect-error policy needs to know who calls
  rooms.policy.grant(undefined, tool, call)
  // @ts-expect-error policy needs an approved tool, not a name
  rooms.policy.grant(principal, call.name, call)
  // @ts-expect-error a call nobody allowed is not validated
  rooms.validation.checkCall(call)
  // @ts-expect-error validation comes after policy, not after itself
  rooms.validation.checkCall(checked)

  // @ts-expect-error what comes back belongs to arguments that were checked
  rooms.state.resume(endpoint, grant)

  // @ts-expect-error a raw call is not counted
  rooms.limits.admit(call)
  // @ts-expect-error a call whose arguments nobody checked is not counted
  rooms.limits.admit(grant)
  // @ts-expect-error a call whose state nobody opened is not counted
  rooms.limits.admit(checked)

  // @ts-expect-error a raw call does not reach the records
  rooms.idempotency.once(call, run)
  // @ts-expect-error nor does a call without its arguments checked
  rooms.idempotency.once(grant, run)
  // @ts-expect-error nor one no limit admitted
  rooms.idempotency.once(checked, run)
  // @ts-expect-error what runs under a key is a sealed answer, not any answer
  rooms.idempotency.once(admission, async () => answer)
  // @ts-expect-error nor one that still shows what only the upstream may see again
  rooms.idempotency.once(admission, async () => result)

  // @ts-expect-error nothing is about to happen before idempotency said so
  rooms.audit.intend(admission, trace)

  // @ts-expect-error a raw call is not sent
  rooms.upstream.send(call, caller)
  // @ts-expect-error nor an allowed one
  rooms.upstream.send(grant, caller)
  // @ts-expect-error nor a checked one
  rooms.upstream.send(checked, caller)
  // @ts-expect-error nor an admitted one
  rooms.upstream.send(admission, caller)
  // @ts-expect-error nor one the audit trail does not know of
  rooms.upstream.send(ticket, caller)

  // @ts-expect-error there is no answer before the call was sent
  rooms.validation.checkResult(intent)
  // @ts-expect-error an answer nobody checked is not sealed
  rooms.state.seal(endpoint, intent, answer)
}

declare const run: (ticket: Ticket) => Promise<SealedAnswer>

/** All the right facts are not yet the product: only its maker can say that they hold. */
export function forged(facts: {
  readonly principal: PrincipalFacts
  readonly tool: ApprovedItemFacts
  readonly grant: GrantFacts
  readonly checked: CheckedCallFacts
  readonly resumed: ResumedCallFacts
  readonly admission: AdmissionFacts
  readonly ticket: TicketFacts
  readonly intent: IntentFacts
  readonly answer: AnswerFacts
  readonly checkedAnswer: CheckedAnswerFacts
}): readonly unknown[] {
  // @ts-expect-error only auth/ makes a Principal
  const principal: Principal = facts.principal
  // @ts-expect-error only catalog/ makes an ApprovedItem
  const tool: ApprovedItem = facts.tool
  // @ts-expect-error only policy/ makes a Grant
  const grant: Grant = facts.grant
  // @ts-expect-error only validation/ makes a CheckedCall
  const checked: CheckedCall = facts.checked
  // @ts-expect-error only state/ makes a ResumedCall
  const resumed: ResumedCall = facts.resumed
  // @ts-expect-error only limits/ makes an Admission
  const admission: Admission = facts.admission
  // @ts-expect-error only idempotency/ makes a Ticket
  const ticket: Ticket = facts.ticket
  // @ts-expect-error only audit/ makes an Intent
  const intent: Intent = facts.intent
  // @ts-expect-error only upstream/ makes an Answer
  const answer: Answer = facts.answer
  // @ts-expect-error only validation/ makes a CheckedAnswer
  const checkedAnswer: CheckedAnswer = facts.checkedAnswer
  // @ts-expect-error only state/ makes a SealedAnswer
  const sealed: SealedAnswer = facts.checkedAnswer
  // @ts-expect-error an object that looks like a Principal is none
  const invented: Principal = {
    issuer: 'https://issuer.example',
    subject: 'mallory',
    clientId: undefined,
    tenant: undefined,
    scopes: new Set(['admin']),
    claims: {},
    anonymous: false,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    identity: 'mallory',
  }
  return [principal, tool, grant, checked, resumed, admission, ticket, intent, answer, checkedAnswer, sealed, invented]
}
