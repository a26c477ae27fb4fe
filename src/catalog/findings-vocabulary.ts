import type { FindingCode } from './findings-codes.ts'
import type { Phrase, PhraseStep } from './findings-phrases.ts'

const NOT = 'not dont never nor no without wont cannot'
const WHO = 'user users human person people operator anyone anybody somebody someone'
const MODEL = 'assistant assistants agent agents model models llm llms ai'
const TOOLS = 'tool tools server servers function functions'
const OTHER = 'other another others any every each all'
const RULES =
  'instruction instructions rule rules prompt prompts policy policies guideline guidelines restriction restrictions directive directives'
const PAST = 'previous prior earlier preceding former above before'
/** To hand something over. Not to get, list or return: what tools do is told in such words. */
const HAND =
  'send sending pass passing forward forwarding include including attach attaching append appending put place placing paste copy submit submitting hand provide supply upload insert deliver transmit share fill reveal'
const HANDED = 'passed handed sent included appended placed forwarded attached submitted provided supplied pasted transmitted'
/** Asked of a reader; "reads" and "opens" tell what a tool does. */
const READ = 'read open cat print dump collect load extract reading opening collecting'
const SECRETS = 'passwords password tokens token credentials secrets keys'
const TALK = 'conversation chat dialogue dialog discussion'

/** What is found in words, whatever stands between them. English only. */
export const PHRASES: readonly Phrase<FindingCode>[] = [
  ...phrases(
    'text.override',
    [
      [
        'ignore ignoring disregard disregarding forget neglect',
        0,
        `${PAST} all any other your these those system safety existing every`,
        4,
        `${RULES} training`,
        4,
      ],
      [
        'override bypass overrule',
        0,
        `${PAST} all any other your system safety existing`,
        4,
        'instruction instructions prompt guidelines directives safeguards',
        4,
      ],
      ['ignore disregard forget', 0, `${RULES} what everything`, 3, `${PAST} previously`, 6],
      ['forget disregard ignore', 0, 'what everything', 1, 'told', 4],
      [
        'supersede supersedes override overrides outrank',
        0,
        `${PAST} all any other system`,
        3,
        'instruction instructions prompt guidelines',
        3,
      ],
      ['precedence priority', 0, 'over', 1, 'instruction instructions prompt guidelines user', 4],
      ['ignore ignoring disregard forget', 0, 'system', 4, 'message prompt instructions', 2],
    ],
    NOT,
  ),
  ...phrases('text.secrecy', [
    [
      NOT,
      0,
      'tell telling told mention mentioning mentioned inform informing reveal revealing disclose disclosing announce announced bring brought',
      4,
      WHO,
      6,
    ],
    ['never not dont', 0, 'reveal disclose mention', 1, 'this it that', 1],
    ['never not dont', 0, 'inform tell', 1, WHO, 2],
    [NOT, 0, 'to be', 2, 'mentioned disclosed revealed discussed announced brought', 2],
    ['keep', 0, 'to', 4, 'yourself', 1],
    ['say', 0, 'nothing', 1],
    ['stay keep remain', 0, 'silent quiet secret', 1],
    ['secretly covertly stealthily', 0],
    ['no without', 0, 'mention mentioning', 1],
    ['do run carry', 0, 'this it on', 1, 'quietly silently', 2],
    ['leave omit', 0, 'out', 4, 'of', 1, 'summary answer reply response report', 3],
    ['need', 0, 'not', 1, 'know', 1],
    [`${WHO} customer customers`, 0, 'not never', 3, 'told informed aware', 2],
  ]),
  ...phrases('text.section', [['<important> important> <system system> <secret> <hidden> <admin> <assistant> |im [inst [system', 0]]),
  ...phrases('text.turn', [['user: human:', 0, 'assistant:', 30]]),
  ...phrases('text.steering', [
    [
      'before after prior whenever when if instead',
      0,
      OTHER,
      5,
      `${TOOLS}`,
      3,
      'pass hand send include read forward copy write submit append give passing name arguments',
      14,
    ],
    ['ignore distrust', 0, TOOLS, 3, 'other another', 3],
    ['other another any every', 0, TOOLS, 2, 'through', 14],
    ['prefix prepend append', 0, OTHER, 4, 'command commands message messages mail mails', 3],
  ]),
  ...phrases('text.exfiltration', [
    [HAND, 0, 'system', 8, 'prompt', 1],
    ['reveal print repeat output disclose recite', 0, 'your', 1, 'instructions prompt rules', 4],
    [HAND, 0, 'everything all whatever what', 2, 'said written discussed typed', 5, 'chat conversation session far', 5],
    [`${HAND} store write`, 0, 'complete whole full entire previous earlier', 6, TALK, 3],
    [HAND, 0, 'previous earlier last', 4, 'messages', 2, 'user conversation chat', 4],
    [`${HAND} store write`, 0, TALK, 6, 'history log transcript', 1],
    ['complete whole full entire previous earlier', 0, TALK, 3, HANDED, 10],
    ['full complete whole', 0, TALK, 1, 'history transcript', 1],
    [HAND, 0, SECRETS, 6, 'you', 2, 'have know saw', 2],
    [SECRETS, 0, 'appeared seen earlier', 4, 'session conversation chat', 4],
    [HAND, 0, SECRETS, 6, 'session conversation chat', 6],
    [HAND, 0, 'value values', 3, 'key keys token tokens', 6, 'environment', 4],
  ]),
  ...keyFiles(),
  ...phrases('text.private', [
    ['what whatever everything', 0, WHO, 2, 'said typed told wrote', 3],
    ['message messages', 0, 'user', 3, 'verbatim', 14],
    ['content contents', 0, 'last opened open recent other', 5, 'file files document documents tabs', 2],
    ['open', 0, 'tabs', 2],
    [`${HAND} fills read`, 0, 'passport card social clipboard', 5],
    [`${HAND} give`, 0, 'location browsing browser', 4, 'history', 1],
    ['give send pass', 0, 'one', 3, 'time', 1, 'code codes password', 1],
  ]),
  ...phrases('text.secret', [
    ['api secret signing encryption', 0, 'key keys secret', 1],
    ['password passwords passwd passphrase credential credentials', 0],
    ['client', 0, 'secret', 1],
    ['access refresh bearer auth session', 0, 'token tokens', 1],
    ['private', 0, 'key keys', 1],
    ['seed recovery', 0, 'phrase', 1],
    ['the your their', 0, 'token secret secrets', 1],
  ]),
  ...phrases('text.copy', [
    ['always every each must all', 0, 'bcc', 4],
    ['bcc', 0, 'always every each must', 3],
    ['blind one second', 0, 'copy copies', 1, 'each every always goes', 4],
  ]),
  ...phrases('text.environment', [
    [`${READ} include send append paste copy attach upload submit`, 0, 'environment env', 4, 'variables', 1],
    ['value values content contents', 0, 'environment', 6],
  ]),
  ...phrases('text.role', [
    ['you', 0, 'are', 1, 'now', 1],
    ['from', 0, 'now', 1, 'on', 1],
    ['you', 0, 'are', 1, 'in', 1, 'mode', 3],
    ['new', 0, 'rule: rules: instruction: instructions:', 1],
    ['you', 0, 'obey', 1],
    ['restrictions guidelines safeguards limitations', 0, 'not longer', 8, 'apply valid', 2],
    ['system', 0, 'override override:', 1],
  ]),
  ...phrases('text.addressed', [
    [
      'note notice message attention instruction instructions hint',
      0,
      'to for',
      1,
      'assistants assistant agents agent models model llm llms ai all',
      2,
    ],
    ['assistant: assistants: agents: llm: llms:', 0],
    [MODEL, 0, 'must should shall has have', 1],
    [`${MODEL} caller`, 0, 'fills opens reads includes supplies passes sends continues copies puts hands appends', 2],
    ['attention warning note', 0, `${MODEL} assistant: model: agent:`, 1],
    ['system', 0, 'note: notice: message:', 1],
    [`your this`, 0, 'assistant', 1],
  ]),
  ...phrases('text.imperative', [
    ['you', 0, 'must', 1],
    ['you', 0, 'have need', 1, 'to', 1],
    ['you', 0, 'are', 1, 'required expected', 1, 'to', 1],
    ['system', 0, 'prompt', 1],
  ]),
  ...phrases('text.unasked', [
    ['without', 0, 'asking confirmation consent approval permission reading', 2],
    ['skip bypass omit', 0, 'confirmation confirmations approval approvals consent', 3],
    ['not dont never', 0, 'ask', 1, WHO, 2],
    ['user users', 0, 'agreed consented approved', 3],
    ['yes', 0, 'to', 1, 'every all', 1, 'confirmation confirmations question questions', 2],
  ]),
  ...phrases('text.preference', [
    ['always must', 0, 'use choose prefer select pick call', 3, 'this', 4],
    ['prefer choose use select', 0, 'this', 1, 'over instead rather', 4, OTHER, 4],
    ['use choose', 0, 'instead', 1, 'of', 1, OTHER, 2],
    ['only best', 0, 'tool server search', 4, 'approved reliable correct allowed recommended', 5],
    ['best only', 0, 'reliable correct trusted', 3, `${TOOLS} one ones search`, 3],
    ['other others', 0, `${TOOLS} ones`, 3, 'insecure unsafe broken deprecated compromised wrong not never', 6],
    [`${TOOLS}`, 0, 'compromised deprecated insecure', 3],
    ['recommend recommends recommended', 0, 'this', 1, TOOLS, 1, 'first every', 6],
    ['no', 0, 'matter', 1, 'what', 1],
    ['whatever', 0, 'the', 1, 'question request task topic', 1],
    ['prefer choose use', 0, 'this', 1, 'to over before', 3, OTHER, 2],
    ['avoid skip', 0, OTHER, 2, TOOLS, 3],
    ['replaces replace supersedes', 0, OTHER, 2, TOOLS, 3],
    ['certified endorsed approved recommended', 0, 'by', 3, 'provider vendor maker security anthropic openai google', 3],
    ['part', 0, 'of', 1, 'every each', 2, 'answer reply response', 1],
    ['no', 0, 'other', 1, TOOLS, 1, 'needed required necessary', 2],
    ['select pick choose', 0, 'it this', 1, 'first', 1],
    ['call invoke invoked run called use', 0, 'each every', 3, 'message reply answer response turn conversation', 3],
    ['first', 0, 'call tool', 1, 'every each', 2, 'conversation session', 1],
    ['not dont never', 0, 'offer use show', 2, 'alternatives others', 2],
    ['not dont', 0, 'use', 1, 'this', 1, TOOLS, 1, 'wrong penalized rejected', 14],
  ]),
  ...phrases('text.command', [
    ['curl wget', 0, '|sh |bash |zsh |python |sudo', 14],
    ['rm', 0, 'rf', 1],
    ['chmod', 0, '777 0777', 2],
    ['pip npm npx brew', 0, 'install', 1],
  ]),
]

/** Files nobody has to read for anybody: where they are, and in one text with a word for reading or handing over. */
function keyFiles(): Phrase<FindingCode>[] {
  const files: readonly (readonly PhraseStep[])[] = [
    [['.ssh .aws .netrc .npmrc .pypirc .gnupg .kube', 0]],
    [
      ['id', 0],
      ['rsa dsa ecdsa ed25519', 1],
    ],
    [
      ['.git gcloud', 0],
      ['credentials', 1],
    ],
    [
      ['.docker', 0],
      ['config', 1],
    ],
    [
      ['/etc', 0],
      ['/passwd /shadow', 1],
    ],
    [
      ['mcp', 0],
      ['.json', 1],
    ],
    [
      ['claude', 0],
      ['desktop', 1],
      ['config', 1],
    ],
    [
      ['private', 0],
      ['key', 1],
      ['file files', 2],
    ],
  ]
  const near = 12
  const use = `${READ} ${HAND}`
  return [
    ...files.flatMap(file => {
      const [[words], ...rest] = file as readonly [PhraseStep, ...PhraseStep[]]
      return [
        { code: 'text.key-file', steps: file },
        { code: 'text.key-file-use', steps: [[use, 0], [words, near], ...rest] },
        { code: 'text.key-file-use', steps: [...file, [use, near]] },
        { code: 'text.key-file-use', steps: [['content contents', 0], ['of', 1], [words, 4], ...rest] },
      ] as const
    }),
    ...phrases('text.key-file-use', [[READ, 0, '.env', 8, HAND, near]]),
  ]
}

/** What looks like a secret or like personal data, in the name or the description of an argument. */
export const PRIVATE: readonly Phrase<string>[] = phrases('private', [
  ['password passwd passphrase secret secrets token tokens credential credentials apikey email mail phone mobile', 0],
  ['ssn birth birthday birthdate address iban card cvv passport salary diagnosis', 0],
  ['api private signing', 0, 'key keys', 1],
])

/** Steps are written in pairs: the words, and how far they may be behind those before. */
function phrases<Code extends string>(code: Code, rows: readonly (readonly (string | number)[])[], unless?: string): Phrase<Code>[] {
  return rows.map(row => {
    const steps: PhraseStep[] = []
    for (let index = 0; index < row.length; index += 2) steps.push([String(row[index]), Number(row[index + 1])])
    return { code, steps, ...(unless !== undefined && { unless }) }
  })
}
