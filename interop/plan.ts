/** What is tried with each pair of a caller and a server, in this order. */
export const ACTIONS = ['list', 'call', 'error', 'progress', 'resource', 'prompt', 'elicitation', 'cancellation'] as const
export type Action = (typeof ACTIONS)[number]

export type Arguments = Readonly<Record<string, unknown>>

interface ToolUse {
  readonly name: string
  readonly arguments: Arguments
}

/** What a server has for each action. Where it is said to have nothing, it is asked all the same, with what comes nearest. */
export interface Plan {
  /** `says`: words that the answer has. */
  readonly call: ToolUse & { readonly says: string }
  /** Answers with `isError`. */
  readonly error: ToolUse
  /** Reports progress at least twice, where the request has a token. */
  readonly progress?: ToolUse
  readonly resource?: { readonly uri: string; readonly says: string }
  readonly prompt?: { readonly name: string; readonly arguments: Readonly<Record<string, string>>; readonly says: string }
  /** Asks for a form, and is given `answer`. */
  readonly elicitation?: ToolUse & { readonly answer: Arguments; readonly says: string }
  /** Takes four seconds: long enough to be cancelled, and over before anybody else is tried. */
  readonly slow?: ToolUse
}

/** Servers that stand in this folder offer all of it, under the same names in every language. */
export const OWN_PLAN: Plan = {
  call: { name: 'add', arguments: { a: 19, b: 23 }, says: '42' },
  error: { name: 'fail', arguments: {} },
  progress: { name: 'count', arguments: { to: 3 } },
  resource: { uri: 'note://one', says: 'the first note' },
  prompt: { name: 'greet', arguments: { name: 'Bo' }, says: 'Greet Bo, please.' },
  elicitation: { name: 'ask', arguments: {}, answer: { name: 'Ada' }, says: 'Hello, Ada!' },
  slow: { name: 'wait', arguments: {} },
}
