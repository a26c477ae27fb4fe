import type { Effect } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Answer, CallMethod, CheckedAnswer, Grant, ResultText, UpstreamResult, UpstreamTask } from '../core/model.ts'
import { invalidAnswer, type RewrittenUris, rewriteUris } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { checkAsked } from './asked.ts'
import { treatCharacters } from './characters.ts'
import { checkedAnswer, type Notes, notesOf } from './checked-answer.ts'
import { checkError } from './error-words.ts'
import { bringsWords, ownMeta, withOwnMeta } from './own-meta.ts'
import { misshapeOf } from './result-shapes.ts'
import { checkTask } from './task.ts'
import { hiddenReason, MALFORMED_LINK, mismatchOf, writeNotice } from './tool-result.ts'
import { truncated } from './truncate.ts'
import type { Validators } from './validators.ts'

/**
 * The answer as it may be shown. A tool's result that is not what was approved becomes a notice, for the tool ran; other results have no
 * such form, and are refused. Throws UPSTREAM_INVALID, VALIDATION_QUESTION.
 */
export function checkAnswer(given: Answer, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { answer, bytes } = given
  const { grant } = given.intent.ticket.admission.checked
  const { result } = grant.policy
  switch (answer.kind) {
    case 'error':
      return checkError(answer, result.characters)
    case 'result':
      if (grant.call.method === 'tools/call') return checkToolResult(bytes, answer, grant, rules, validators)
      if (grant.call.method === 'tasks/get') return checkToldTask(bytes, answer, grant, rules, validators)
      return checkOther(bytes, isAcknowledgment(grant.call.method) ? acknowledgmentOf(answer) : answer, grant, rules)
    case 'input_required':
      if (bytes > result.maxBytes) throw invalidAnswer('too_large')
      return checkAsked(answer, grant, rules)
    case 'task':
      return checkCreatedTask(bytes, answer, grant, rules, validators)
  }
}

function checkToolResult(bytes: number, answer: UpstreamResult, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, effect } = grant
  const policy = grant.policy.result
  const compiled = validators.of(item.pin, item.descriptor)
  const cut = truncated(answer.text, answer.result, 'tools/call', bytes, policy)
  const mismatch = mismatchOf(answer.result, cut === undefined ? bytes : 0, policy, compiled)
  if (mismatch?.isWithheld === true) return withheld(mismatch.reason, effect, 0)
  const links = linksOf(cut?.text ?? answer.text, answer, grant, rules)
  if (links === undefined) return withheld(MALFORMED_LINK, effect, 0)
  const treated = treatCharacters(links.text, policy.characters)
  if (treated !== undefined && treated.text === undefined) return withheld(hiddenReason(treated.hidden), effect, treated.hidden)
  // A text that is spelled out is another one: it is held to the schema as the caller will hold it.
  const then = treated?.value === undefined ? mismatch : mismatchOf(treated.value, 0, policy, compiled)
  if (then?.isWithheld === true) return withheld(then.reason, effect, treated?.hidden ?? 0)
  const notes = notesOf(treated, { mismatch: then?.reason, linksWithheld: links.withheld, truncatedBytes: cut?.bytes })
  return shown(answer, treated?.text ?? links.text, grant, answer.result.isError === true, notes)
}

/** `undefined`: one of them is none. */
function linksOf(text: ResultText, { result }: UpstreamResult, { call, item }: Grant, rules: AnswerRules): RewrittenUris | undefined {
  try {
    return rewriteUris(text, result, call.method, item.uriPrefix, rules.isAllowedLink)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UPSTREAM_INVALID') return undefined
    throw error
  }
}

function withheld(reason: string, effect: Effect, hidden: number): CheckedAnswer {
  const notes = notesOf(undefined, { mismatch: reason, hiddenCharacters: hidden })
  return checkedAnswer(writeNotice(reason, effect), true, notes, 'VALIDATION_RESULT')
}

function isAcknowledgment(method: CallMethod): boolean {
  return method === 'tasks/update' || method === 'tasks/cancel'
}

/**
 * Says that something was heard, and nothing else (SEP-2663 §Task Update Requests, §Task Cancellation). What a server puts into it, a question or a link
 * perhaps, nobody has judged as one, and a client that is generous in what it reads might act on it.
 */
function acknowledgmentOf({ text: { meta } }: UpstreamResult): UpstreamResult {
  return { kind: 'result', result: {}, text: { members: '', meta } }
}

/** What has no form for a notice: a prompt, a resource, completions, a word that something was heard. */
function checkOther(bytes: number, answer: UpstreamResult, grant: Grant, rules: AnswerRules): CheckedAnswer {
  const { item, call } = grant
  const policy = grant.policy.result
  const cut = truncated(answer.text, answer.result, call.method, bytes, policy)
  if (bytes > policy.maxBytes && cut === undefined) throw invalidAnswer('too_large')
  const misshapen = misshapeOf(call.method, answer.result)
  if (misshapen !== undefined) throw invalidAnswer(misshapen)
  const links = rewriteUris(cut?.text ?? answer.text, answer.result, call.method, item.uriPrefix, rules.isAllowedLink)
  const treated = treatCharacters(links.text, policy.characters)
  if (treated !== undefined && treated.text === undefined) throw invalidAnswer('hidden_characters')
  const notes = notesOf(treated, { linksWithheld: links.withheld, truncatedBytes: cut?.bytes })
  return shown(answer, treated?.text ?? links.text, grant, false, notes)
}

/** Only the text is ever changed; nobody shows the value. */
function shown(answer: UpstreamResult, text: ResultText, { item, call }: Grant, isError: boolean, notes: Notes): CheckedAnswer {
  const whole = bringsWords(call.method) ? withOwnMeta(text, ownMeta(item, notes)) : text
  return checkedAnswer({ kind: 'result', result: answer.result, text: whole }, isError, notes)
}

function checkToldTask(bytes: number, answer: UpstreamResult, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, policy } = grant
  if (bytes > policy.result.maxBytes && !Object.hasOwn(answer.result, 'result')) throw invalidAnswer('too_large')
  const given = { task: answer.result, text: answer.text, bytes, grant, rules, validators: validators.of(item.pin, item.descriptor) }
  const { task, text, isError, notes, withheld } = checkTask(given)
  return checkedAnswer({ kind: 'result', result: task, text }, isError, notes, withheld)
}

function checkCreatedTask(bytes: number, answer: UpstreamTask, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, call, policy } = grant
  // SEP-2663 §Capability Negotiation: not to a client that did not declare the extension.
  if (!call.meta.capabilities.tasks || !rules.allowTasks) throw invalidAnswer('task_not_declared')
  if (bytes > policy.result.maxBytes) throw invalidAnswer('too_large')
  const given = { task: answer.task, text: answer.text, bytes, grant, rules, validators: validators.of(item.pin, item.descriptor) }
  const { task, text, isError, notes, withheld } = checkTask(given)
  return checkedAnswer({ kind: 'task', task, text }, isError, notes, withheld)
}
