import { Unenforceable } from './unenforceable.ts'

const NAME = /^(?:\w+=)?\w+$/

/** Whether a character has a Unicode property, by the runtime's own tables. Of what upstreams write, a name alone gets into the expression. */
export function unicodeProperty(name: string): RegExp {
  if (!NAME.test(name)) throw new Unenforceable('a pattern with an unknown escape')
  try {
    return new RegExp(`^\\p{${name}}$`, 'u')
  } catch (cause) {
    throw new Unenforceable('a pattern with an unknown Unicode property', undefined, { cause })
  }
}
