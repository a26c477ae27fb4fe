import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { Report } from '../../core/facts.ts'
import { type JsonObject, writeJson } from '../../core/json.ts'
import type { CallerStream, Intent } from '../../core/model.ts'
import type { FinalStep, RunningCall } from '../running-call.ts'
import { resumeElsewhere } from './elsewhere.ts'
import { audienceOf, createHolder } from './holder.ts'
import { createLink, type Found, type LinkOptions } from './link.ts'
import { lost } from './lost.ts'
import { answerTo } from './question.ts'
import { readHeldState } from './state.ts'
import { createSwitchboard } from './switchboard.ts'

/**
 * Calls of legacy servers that ask in the middle. What has begun there cannot be put aside and called again, so the process that made the
 * call holds it, its request open, and the answer comes there from whichever process the caller reaches.
 */
export interface HeldCalls {
  /** A call that has just been made, until its answer or its first question. */
  follow(run: RunningCall, intent: Intent, caller: CallerStream): Promise<FinalStep>
  /** True of the state of a question of a held call. */
  isHeld(innerState: string | undefined): boolean
  /**
   * From the answer to a question until the next, or the end. Throws MCP_PARAMS_INVALID for what is no answer to it, and UPSTREAM_INVALID,
   * with what is certain of the effect, where the call is not held any more.
   */
  resume(intent: Intent, caller: CallerStream): Promise<FinalStep>
  /** Tells every server that waits that nobody will come. */
  close(): Promise<void>
}

export interface HeldOptions extends LinkOptions {
  /** Whether an answer is one to this form. */
  readonly fitsForm: (requestedSchema: JsonObject, result: JsonObject) => boolean
  /** Told of a call that ended without anybody, and of a question that nobody could be asked since too many calls wait. */
  readonly report: Report
  readonly limits?: Partial<HeldLimits>
}

export interface HeldLimits {
  readonly waitMs: number
  readonly drainMs: number
  readonly perProcess: number
  readonly perPerson: number
  readonly beatMs: number
  readonly pollMs: number
}

const LIMITS: HeldLimits = { waitMs: 600_000, drainMs: 30_000, perProcess: 512, perPerson: 16, beatMs: 3_000, pollMs: 2_500 }
const CLOSE_MS = 2_000

export function createHeldCalls({ report, fitsForm, limits, ...options }: HeldOptions): HeldCalls {
  const { waitMs, drainMs, perProcess, perPerson, beatMs, pollMs } = { ...LIMITS, ...limits }
  const process = randomBytes(12).toString('base64url')
  const link = createLink(options)
  const switchboard = createSwitchboard({ link, process, beatMs })
  const holder = createHolder({
    process,
    switchboard,
    keys: options.keys,
    waitMs,
    drainMs,
    perProcess,
    perPerson,
    onAbandoned({ recordId, ticket }, reason, end) {
      const { alias } = ticket.admission.checked.grant.item
      report('upstream.held_call', { alias, request: recordId, reason, effect: end })
    },
    onFull({ recordId, ticket }) {
      const { alias } = ticket.admission.checked.grant.item
      report('upstream.question_declined', { alias, request: recordId, reason: 'full' })
    },
  })

  return {
    follow: holder.follow,
    isHeld: innerState => readHeldState(innerState) !== undefined,
    async resume(intent, caller) {
      const { checked, leg } = intent.ticket.admission
      const { call, principal } = checked.grant
      const state = readHeldState(leg?.innerState)
      if (state === undefined) throw new TypeError('not the state of a held call')
      const answer = answerTo(state.method, call.resumption?.inputResponses)
      // Before anything is used up: with an answer to what was asked it can come again.
      if (answer === undefined || answer === false) throw invalid(answer === undefined ? 'missing' : 'kind')
      // A store that does not answer says nothing: what is there, and what is asked, the holder knows.
      const found = state.process === process ? undefined : await link.find(state).catch((): Found => ({ state: 'there' }))
      const form = found === undefined ? holder.formOf(state) : found.form
      if (form !== undefined && !fitsForm(form, answer)) throw invalid('form')
      if (caller.gone) throw new Refusal('CALLER_GONE', { notProcessed: true })
      await intent.ticket.dispatch()
      const text = writeJson(answer)
      if (found === undefined) {
        const step = await holder.answer(state, text, audienceOf(call.meta, caller), caller)
        if (step === undefined) throw lost(intent, 'held_call_gone')
        return step
      }
      if (found.state !== 'there') throw lost(intent, 'holder_lost')
      return resumeElsewhere(state, text, caller, { link, intent, owner: options.keys.ownerOf(principal), pollMs })
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise(resolve => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([holder.close(), late])
      clearTimeout(timer)
      await switchboard.close()
    },
  }
}

function invalid(key: 'missing' | 'kind' | 'form'): Refusal {
  return new Refusal('MCP_PARAMS_INVALID', { notProcessed: true }, { reason: 'inputResponses', key })
}
