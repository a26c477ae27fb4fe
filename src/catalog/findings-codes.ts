/** Advice to the reviewer; the scanners are best effort. `block` also keeps an item pending under trust on first use. */
export interface Finding {
  readonly level: FindingLevel
  /** What was found; stable, for programs. docs/findings.md lists all. */
  readonly code: FindingCode
  /** Where in the descriptor; for the name of a member, the member's pointer. */
  readonly pointer: string
  readonly message: string
}

export type FindingLevel = 'block' | 'warn'

/** Code → level and what a reviewer reads. `block` is for what honest descriptors have no use for. */
export const FINDINGS = {
  'hidden.tags': ['block', 'hidden text in tag characters'],
  'hidden.zero-width': ['block', 'characters without width'],
  'hidden.bidi': ['block', 'characters that turn the order of reading'],
  'hidden.variation': ['block', 'variation selectors where there is nothing to vary'],
  'hidden.blank': ['block', 'letters that look like nothing'],
  'hidden.control': ['block', 'control characters'],
  'hidden.escape': ['block', 'terminal escape sequence'],
  'hidden.unassigned': ['block', 'private or unassigned characters'],
  'hidden.padding': ['block', 'a gap that pushes text out of sight'],
  'hidden.marks': ['warn', 'marks that pile up, strike out or stand on other text'],
  'hidden.space': ['warn', 'spaces of unusual width'],
  'hidden.comment': ['warn', 'a comment that is not shown when the text is rendered'],
  'name.mixed-script': ['block', 'Latin letters mixed with ones that look alike'],
  'name.lookalike': ['block', 'looks like a Latin name and is none'],
  'name.imitates': ['warn', 'hardly differs from the name of a tool'],
  'name.not-ascii': ['warn', 'letters outside ASCII can imitate another name'],
  'name.sentence': ['warn', 'a name that is a sentence'],
  'text.override': ['block', 'tells the model to set instructions aside'],
  'text.secrecy': ['block', 'asks for something to be kept from the user'],
  'text.section': ['block', 'imitates a prompt section'],
  'text.turn': ['block', 'imitates turns of a conversation'],
  'text.steering': ['block', 'speaks about how other tools are used'],
  'text.exfiltration': ['block', 'asks for the conversation, the prompt or secrets to be handed over'],
  'text.key-file-use': ['block', 'asks for the content of a key file'],
  'text.key-file': ['warn', 'names a key file'],
  'text.private': ['warn', 'asks for what was said, for what is on the machine or for what is known of a person'],
  'text.secret': ['warn', 'speaks of a secret'],
  'text.role': ['warn', 'gives the model a role or rules'],
  'text.addressed': ['warn', 'addresses the model'],
  'text.obey': ['warn', 'wants something to be believed or obeyed'],
  'text.unasked': ['warn', 'goes past what the user wants, or past a protection'],
  'text.unnoticed': ['warn', 'wants something to stay unnoticed'],
  'text.preference': ['warn', 'wants to be chosen before others, or each time'],
  'text.elsewhere': ['warn', 'speaks of other tools, or of what is done with them'],
  'text.pretext': ['warn', 'gives a reason why more has to be done than is asked'],
  'text.duty': ['warn', 'lays down what is to be done, where a description says what is'],
  'text.command': ['warn', 'a shell command that can do harm'],
  'text.url': ['warn', 'names a URL or a host'],
  'text.address': ['warn', 'names an e-mail address'],
  'text.encoded': ['warn', 'encoded text'],
  'text.misplaced': ['warn', 'sentences where none belong'],
  'text.lookalike': ['warn', 'words with letters of another script that look Latin'],
  'text.unread': ['block', 'too long to be scanned whole'],
  'mention.exposed': ['block', 'names a tool or resource of another server as callers see it'],
  'mention.foreign': ['warn', 'names a tool of another server'],
  'mention.sibling': ['warn', 'names a tool of this server'],
  'schema.private-header': ['warn', 'a header would carry what looks like a secret or personal data'],
  'change.claims-less': ['block', 'an annotation flips: it claims to be less dangerous than before'],
  'change.annotation': ['warn', 'an annotation flips'],
  'change.required': ['warn', 'a new required argument'],
  'change.opened': ['warn', 'takes arguments that nobody has reviewed'],
  'change.type': ['warn', 'takes more kinds of values than before'],
  'change.enum': ['warn', 'takes a value that it did not take before'],
  'change.bound': ['warn', 'takes longer, larger or other values than before'],
  'change.default': ['warn', 'another default text, which a model may send on'],
  'change.header': ['warn', 'an argument is copied into a header, where proxies and logs see it'],
  'change.output': ['warn', 'results may hold more than before, for the model to read'],
  'change.media-type': ['warn', 'another media type'],
  'change.icon': ['warn', 'an icon of another host'],
  'change.unread': ['warn', 'no rule here knows what this means: refuse it, unless you know who obeys it'],
  'findings.more': ['warn', 'there are more findings than are shown'],
} as const satisfies Readonly<Record<string, readonly [level: FindingLevel, message: string]>>

export type FindingCode = keyof typeof FINDINGS

/** `detail` is what of the descriptor is meant, already visible and cut. */
export function findingOf(code: FindingCode, pointer: string, detail?: string): Finding {
  const [level, message] = FINDINGS[code]
  return { level, code, pointer, message: detail === undefined ? message : `${message}: ${detail}` }
}
