import { Refusal } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { HeldEnd, Intent } from '../../core/model.ts'
import { StoreFull } from '../../store/index.ts'
import type { Audience, FinalStep } from '../running-call.ts'
import type { No } from './held-call.ts'
import type { Link, Place } from './link.ts'
import { lost } from './lost.ts'
import type { FromHolder, ToHolder } from './messages.ts'

/** A question that waits here, to whoever speaks for its caller in another process. */
export interface Party {
  readonly intent: Intent
  /** Whose share of the store is taken for it. */
  readonly owner: string
  /** `undefined`: it does not wait any more. */
  answer(text: string, audience: Audience): Promise<FinalStep> | undefined
  refuse(no: No): Promise<HeldEnd | undefined>
  /** Whoever brought the answer has left. */
  leave(): void
}

/** Lets other processes reach what is held in this one. */
export interface Switchboard {
  /** `ready`: other processes can find it; never rejects, for without a store it can still be reached by way of this process. */
  open(place: Place, party: Party, form: JsonObject | undefined): { readonly ready: Promise<void>; readonly left: () => void }
  close(): Promise<void>
}

export interface SwitchboardOptions {
  readonly link: Link
  readonly process: string
  readonly beatMs: number
}

const TRY_AFTER_MS = [0, 200, 1_000, 4_000]

export function createSwitchboard({ link, process, beatMs }: SwitchboardOptions): Switchboard {
  let openPlaces = 0
  let beating: NodeJS.Timeout | undefined

  const beat = (): Promise<void> | undefined => {
    if (beating !== undefined) return undefined
    beating = setInterval(() => {
      if (openPlaces > 0) return void link.beat(process).catch(passOver)
      clearInterval(beating)
      beating = undefined
    }, beatMs)
    beating.unref()
    return link.beat(process)
  }

  async function tell(place: Place, leg: string, { owner, intent }: Party, message: FromHolder): Promise<void> {
    for (const delayMs of TRY_AFTER_MS) {
      await new Promise(resolve => setTimeout(resolve, delayMs).unref())
      try {
        return await link.tellLeg(place, leg, message, owner)
      } catch (error) {
        if (error instanceof StoreFull) break
      }
    }
    await link.tellLeg(place, leg, { kind: 'refusal', refusal: notHandedOver(intent, message) }, owner).catch(passOver)
  }

  async function hear(place: Place, party: Party, message: ToHolder, isAnswering: (leg: string) => boolean): Promise<void> {
    const { leg } = message
    const tellBack = (told: FromHolder): Promise<void> => tell(place, leg, party, told)
    if (message.kind === 'gone') return isAnswering(leg) ? party.leave() : undefined
    if (message.kind === 'refuse') return tellBack({ kind: 'ended', end: await party.refuse(message.no) })
    const { text, progressToken, logLevel } = message
    const notify = newest(notice => link.tellLeg(place, leg, { kind: 'notice', message: notice }, party.owner))
    const going = party.answer(text, { progressToken, logLevel, notify })
    // It was answered before: this leg is not the first.
    if (going === undefined) return tellBack({ kind: 'refusal', refusal: lost(party.intent, 'held_call_gone') })
    const told = await going.then(
      ({ answer, bytes }): FromHolder => ({ kind: 'step', answer, bytes }),
      (error): FromHolder => ({ kind: 'refusal', refusal: error instanceof Refusal ? error : lost(party.intent, 'internal', error) }),
    )
    return tellBack(told)
  }

  return {
    open(place, party, form) {
      const { owner } = party
      openPlaces += 1
      let first: string | undefined
      let heard: Promise<unknown> = Promise.resolve()
      const unhear = link.hearLegs(place, message => {
        if (message.kind === 'answer') first ??= message.leg
        heard = Promise.all([heard, hear(place, party, message, leg => leg === first)])
      })
      let isOpen = true
      return {
        ready: Promise.all([beat(), link.announce(place, form, owner)]).then(passOver, passOver),
        left: () => {
          if (!isOpen) return
          isOpen = false
          openPlaces -= 1
          unhear()
          // As long as a leg has not been told, it must not be taken for forgotten.
          void heard.then(() => link.withdraw(place, owner)).catch(passOver)
        },
      }
    },
    async close() {
      clearInterval(beating)
      if (beating !== undefined) await link.stop(process).catch(passOver)
    },
  }
}

/** The server answered, and its answer is too large to go from one process to the other. */
function notHandedOver(intent: Intent, message: FromHolder): Refusal {
  const ran = message.kind === 'step' && (message.answer.kind === 'result' || (message.answer.kind === 'error' && message.answer.ran))
  return lost(intent, 'not_handed_over', undefined, ran ? 'committed' : 'unknown')
}

/** Progress that comes while other progress is still on its way is old news by the time it could go; nobody is held back for it. */
function newest(send: (message: string) => Promise<void>): (message: string) => void {
  let isFree = true
  return message => {
    if (!isFree) return
    isFree = false
    void send(message)
      .catch(passOver)
      .then(() => {
        isFree = true
      })
  }
}

function passOver(): void {}
