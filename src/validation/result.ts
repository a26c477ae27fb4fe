import { Refusal } from '../core/errors.ts'
import type { Answer, CheckedAnswer, CheckedAnswerFacts, Grant, UpstreamResult, UpstreamTask } from '../core/model.ts'
import { rewriteUris } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { askedOf } from './asked.ts'
import { product } from './checked-answer.ts'
import { misshapeOf } from './result-shapes.ts'
import { type CheckedTask, checkTask, MALFORMED_LINK } from './task.ts'
import { mismatchOf, writeNotice } from './tool-result.ts'
import type { Validators } from './validators.ts'

/**
 * The answer as it may be shown. A tool's result that is not what was approved becomes a notice, for the tool ran; other results have no
 * such form, and are refused. Throws UPSTREAM_INVALID, VALIDATION_QUESTION.
 */
export function checkAnswer(given: Answer, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { answer } = given
  const { grant } = given.intent.ticket.admission.checked
  switch (answer.kind) {
    case 'error':
      return product({ answer, isError: true, withheld: undefined })
    case 'result':
      return checkResult(given, answer, grant, rules, validators)
    case 'input_required':
      if (given.bytes > grant.policy.result.maxBytes) throw notShown('too_large')
      return product({ answer: askedOf(answer, grant, rules), isError: false, withheld: undefined })
    case 'task':
      return checkCreatedTask(given, answer, grant, rules, validators)
  }
}

function checkResult(given: Answer, answer: UpstreamResult, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, call, policy } = grant
  const { method } = call
  if (method === 'tools/call') return checkToolResult(given, answer, grant, rules, validators)
  const isFinishedTask = method === 'tasks/get' && Object.hasOwn(answer.result, 'result')
  if (given.bytes > policy.result.maxBytes && !isFinishedTask) throw notShown('too_large')
  if (method === 'tasks/get') {
    const checked = checkTask({
      task: answer.result,
      text: answer.text,
      bytes: given.bytes,
      grant,
      rules,
      validators: validators.of(item.pin, item.descriptor),
    })
    return taskProduct(checked, { kind: 'result', result: checked.task, text: checked.text })
  }
  const misshapen = misshapeOf(method, answer.result)
  if (misshapen !== undefined) throw notShown(misshapen)
  return linked(answer, grant, rules, false, undefined)
}

function checkToolResult(given: Answer, answer: UpstreamResult, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, policy, effect } = grant
  const mismatch = mismatchOf(answer.result, given.bytes, policy.result, validators.of(item.pin, item.descriptor))
  if (mismatch?.isWithheld === true) return withheld(mismatch.reason, effect)
  try {
    return linked(answer, grant, rules, answer.result.isError === true, mismatch?.reason)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UPSTREAM_INVALID') return withheld(MALFORMED_LINK, effect)
    throw error
  }
}

function withheld(reason: string, effect: Grant['effect']): CheckedAnswer {
  return product({ answer: writeNotice(reason, effect), isError: true, withheld: 'VALIDATION_RESULT', mismatch: reason })
}

/** With its links behind the upstream's prefix. Only the text is rewritten; nobody shows the value. */
function linked(
  answer: UpstreamResult,
  { call, item }: Grant,
  rules: AnswerRules,
  isError: boolean,
  mismatch: string | undefined,
): CheckedAnswer {
  const links = rewriteUris(answer.text, answer.result, call.method, item.uriPrefix, rules.isAllowedScheme)
  const shown = links.text === answer.text ? answer : { ...answer, text: links.text }
  // Nearly every answer has neither, and all of those have one shape.
  if (mismatch === undefined && links.withheld === 0) return product({ answer: shown, isError, withheld: undefined })
  return product({ answer: shown, isError, withheld: undefined, ...notes(mismatch, links.withheld) })
}

function checkCreatedTask(given: Answer, answer: UpstreamTask, grant: Grant, rules: AnswerRules, validators: Validators): CheckedAnswer {
  const { item, call, policy } = grant
  // SEP-2663 §Capability Negotiation: not to a client that did not declare the extension.
  if (!call.meta.capabilities.tasks || !rules.allowTasks) throw notShown('task_not_declared')
  if (given.bytes > policy.result.maxBytes) throw notShown('too_large')
  const checked = checkTask({
    task: answer.task,
    text: answer.text,
    bytes: given.bytes,
    grant,
    rules,
    validators: validators.of(item.pin, item.descriptor),
  })
  return taskProduct(checked, { kind: 'task', task: checked.task, text: checked.text })
}

function taskProduct({ isError, withheld, mismatch, linksWithheld }: CheckedTask, answer: CheckedAnswerFacts['answer']): CheckedAnswer {
  return product({ answer, isError, withheld, ...notes(mismatch, linksWithheld) })
}

function notes(mismatch: string | undefined, linksWithheld: number): Pick<CheckedAnswerFacts, 'mismatch' | 'linksWithheld'> {
  return { ...(mismatch === undefined ? {} : { mismatch }), ...(linksWithheld === 0 ? {} : { linksWithheld }) }
}

/** Where there is no form for a notice. How far an effect is by then, idempotency/ adds. */
function notShown(reason: string): Refusal {
  return new Refusal('UPSTREAM_INVALID', {}, { reason })
}
