/** What both servers of the soak offer, each run counted by its `n`. */
export const TOOLS = ['read', 'write', 'slow', 'ask'].map(name => ({
  name,
  inputSchema: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
}))

const READ = 'effect: read, allow: [{ scopes: [tools:read] }]'
export const POLICY = `  read: { ${READ} }
  write: { effect: write, allow: [{ scopes: [tools:write] }] }
  slow: { ${READ} }
  ask: { ${READ} }`

/** How many words of progress a slow one says, and how far apart. */
export const STEPS = 4
export const stepMs = (): number => 200 + Math.random() * 400

export const QUESTION_FORM = {
  mode: 'form',
  message: 'Which colour?',
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
}

export interface Runs {
  /** How often each `n` was run. */
  readonly all: ReadonlyMap<string, number>
  /** Those of them that have an effect. */
  readonly effects: number
  add(tool: string, n: string): void
}

export function createRuns(): Runs {
  const all = new Map<string, number>()
  let effects = 0
  return {
    all,
    get effects() {
      return effects
    },
    add(tool, n) {
      all.set(n, (all.get(n) ?? 0) + 1)
      if (tool === 'write') effects += 1
    },
  }
}
