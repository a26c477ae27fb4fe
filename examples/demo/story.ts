import { answersACall, listsForReader, listsForWriter, reportsProgress } from './steps/allowed.ts'
import { leavesATrail } from './steps/audit.ts'
import { followsALink, getsAPrompt, readsAPage } from './steps/documents.ts'
import { isUnknownAfterABreak, runsOnce, staysUnknown } from './steps/effects.ts'
import { asksForAToken, refusesAnotherAudience, stepsUp, wantsMoreScope } from './steps/identity.ts'
import { keepsAQuestionBack, passesAQuestionOn } from './steps/questions.ts'
import { refusesHeader, refusesOften, refusesPolicy, refusesSchema } from './steps/refused.ts'
import { catchesNewWords, decides, offersNothing, offersWhatIsApproved, showsTheWords } from './steps/review.ts'
import { catchesEachPull } from './steps/rug-pulls.ts'
import type { Step } from './tell.ts'

/** What the demo shows, in order. Ada may read, ben may write too; rita reviews what servers say of their tools. */
export const STORY: readonly Step[] = [
  { what: 'ben lists the tools', expected: 'none: nothing is approved', run: offersNothing },
  { what: 'rita: wicketgate pins approve', expected: 'offered, without a restart', run: offersWhatIsApproved },

  { what: 'a call without a token', expected: '401, and where to get one', run: asksForAToken },
  { what: "another service's token", expected: '401: it is not for us', run: refusesAnotherAudience },

  { what: 'ada lists the tools', expected: 'those that read', run: listsForReader },
  { what: 'ben lists the tools', expected: 'those he may use', run: listsForWriter },
  { what: 'ada searches for tickets', expected: 'an answer; her token stays', run: answersACall },
  { what: 'ada exports a year', expected: 'progress while it runs', run: reportsProgress },
  { what: 'ada reads a handbook page', expected: 'the page, by its name here', run: readsAPage },
  { what: 'a note links to that page', expected: "never to another's page", run: followsALink },
  { what: 'ada asks for a prompt', expected: 'it, and help to fill it in', run: getsAPrompt },

  { what: 'a ticket, with a reading token', expected: '403, and what is missing', run: wantsMoreScope },
  { what: 'the same, with that scope too', expected: 'a ticket', run: stepsUp },
  { what: 'a ticket without a title', expected: 'refused by the schema', run: refusesSchema },
  { what: "a ticket in another's region", expected: 'refused by policy', run: refusesPolicy },
  { what: 'header says us, body says eu', expected: '400: no guess what is meant', run: refusesHeader },
  { what: 'the same key twice', expected: 'one ticket, two answers', run: runsOnce },
  { what: 'a 4th call where 3 are allowed', expected: 'refused, and for how long', run: refusesOften },
  { what: 'tickets asks ben something', expected: 'asked in its name; answered', run: passesAQuestionOn },
  { what: 'notes asks for a password', expected: 'refused, not asked', run: keepsAQuestionBack },

  { what: 'reports and notes change words', expected: 'gone; refused; ada is told', run: catchesNewWords },
  { what: 'rita: wicketgate pins diff', expected: 'the new words, and findings', run: showsTheWords },
  { what: 'rita approves one of them', expected: 'one is back; ada is told', run: decides },
  { what: 'notes changes 12 texts more', expected: 'none offered; each explained', run: catchesEachPull },
  { what: 'notes breaks while it publishes', expected: 'effect: unknown', run: isUnknownAfterABreak },
  { what: 'ben repeats it, same key', expected: 'refused, not run again', run: staysUnknown },

  { what: 'the audit trail of all this', expected: 'everything but the secrets', run: leavesATrail },
]
