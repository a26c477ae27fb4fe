import type { Phrase, PhraseStep } from './findings-phrases.ts'

/** Words that go together in many phrases. */
export const NOT = 'not dont never nor no without wont cannot neednt isnt arent'
export const WHO = 'user users human person people operator anyone anybody somebody someone'
export const MODEL = 'assistant assistants agent agents model models llm llms ai'
export const TOOLS = 'tool tools server servers function functions'
export const OTHER = 'other another others any every each all'
export const RULES =
  'instruction instructions rule rules prompt prompts policy policies guideline guidelines restriction restrictions directive directives'
export const PAST = 'previous prior earlier preceding former above before'
/** To hand something over. Not to get, list or return: what tools do is told in such words. */
export const HAND =
  'send sending pass passing forward forwarding include including attach attaching append appending put place placing paste copy submit submitting hand provide supply upload insert deliver transmit share fill reveal'
export const HANDED = 'passed handed sent included appended placed forwarded attached submitted provided supplied pasted transmitted'
/** Asked of a reader; "reads" and "opens" tell what a tool does. */
export const READ = 'read open cat print dump collect load extract reading opening collecting'
export const SECRETS = 'passwords password tokens token credentials secrets keys'
export const TALK = 'conversation chat dialogue dialog discussion'

/** `some words >3 others`: one of the first, then, at most three words on, one of the others. */
export function phrases<Code extends string>(code: Code, rows: readonly string[], unless?: string): Phrase<Code>[] {
  return rows.map(row => ({ code, steps: stepsOf(row), ...(unless !== undefined && { unless }) }))
}

function stepsOf(row: string): readonly PhraseStep[] {
  return row.split(' >').map((step, index): PhraseStep => {
    const blank = step.indexOf(' ')
    return index === 0 ? [step, 0] : [step.slice(blank + 1), Number(step.slice(0, blank))]
  })
}
