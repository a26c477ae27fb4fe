import type { FindingCode } from './findings-codes.ts'
import type { Phrase, PhraseStep } from './findings-phrases.ts'
import { HAND, HANDED, MODEL, NOT, OTHER, PAST, phrases, READ, RULES, SECRETS, TALK, TOOLS, WHO } from './findings-words.ts'

/** What is found in words, whatever stands between them. English only. */
export const PHRASES: readonly Phrase<FindingCode>[] = [
  ...phrases(
    'text.override',
    [
      `ignore ignoring disregard disregarding forget neglect >4 ${PAST} all any other your these those system safety existing every >4 ${RULES} training`,
      `override bypass overrule >4 ${PAST} all any other your system safety existing >4 instruction instructions prompt guidelines directives safeguards`,
      `ignore disregard forget >3 ${RULES} what everything >6 ${PAST} previously`,
      'forget disregard ignore >1 what everything >4 told',
      `supersede supersedes override overrides outrank >3 ${PAST} all any other system >3 instruction instructions prompt guidelines`,
      'precedence priority >1 over >4 instruction instructions prompt guidelines user',
      'ignore ignoring disregard forget >4 system >2 message prompt instructions',
    ],
    NOT,
  ),
  ...phrases('text.secrecy', [
    `not dont never nor cannot neednt >4 tell mention inform reveal disclose announce >6 ${WHO}`,
    `${NOT} >4 telling told mentioning mentioned informing revealing disclosing announced >6 ${WHO}`,
    'never not dont >1 reveal disclose mention >1 this it that',
    `never not dont >1 inform tell >2 ${WHO}`,
    `${NOT} >2 to be >2 mentioned disclosed revealed discussed announced`,
    `${NOT} >2 to be >2 brought >1 up`,
    'keep >1 this it that these those >2 to >1 yourself',
    'say >1 nothing',
    'stay keep remain >1 silent quiet secret',
    'secretly covertly stealthily',
    'no without >1 mention mentioning',
    'do run carry >1 this it on >2 quietly silently',
    'leave omit >4 out >1 of >3 summary answer reply response report',
    'need >1 not >1 know',
    `${WHO} customer customers >3 not never >2 told informed aware`,
  ]),
  ...phrases('text.section', ['<important> important> <system system> <secret> <hidden> <admin> <assistant> |im [inst [system']),
  ...phrases('text.turn', ['user: human: >30 assistant:']),
  ...phrases('text.steering', [
    `before after prior whenever when if instead >5 ${OTHER} >3 ${TOOLS} >14 pass hand send include read forward copy write submit append give passing name arguments`,
    `ignore distrust >3 ${TOOLS} >3 other another`,
    `other another any every >2 ${TOOLS} >14 through`,
    `prefix prepend append >4 ${OTHER} >3 command commands message messages mail mails`,
  ]),
  ...phrases('text.exfiltration', [
    `${HAND} >8 system >1 prompt`,
    'reveal print repeat output disclose recite >1 your >4 instructions prompt rules',
    `${HAND} >2 everything all whatever what >5 said written discussed typed >5 chat conversation session far`,
    `${HAND} store write >6 complete whole full entire previous earlier >3 ${TALK}`,
    `${HAND} >4 previous earlier last >2 messages >4 user conversation chat`,
    `${HAND} store write >6 ${TALK} >1 history log transcript`,
    `complete whole full entire previous earlier >3 ${TALK} >10 ${HANDED}`,
    `full complete whole >1 ${TALK} >1 history transcript`,
    `${HAND} >6 ${SECRETS} >2 you >2 have know saw`,
    `${SECRETS} >4 appeared seen earlier >4 session conversation chat`,
    `${HAND} >6 ${SECRETS} >6 session conversation chat`,
    `${HAND} >3 value values >6 key keys token tokens >4 environment`,
  ]),
  ...keyFiles(),
  ...phrases('text.secret', [
    'api secret signing encryption >1 key keys secret',
    'password passwords passwd passphrase credential credentials',
    'client >1 secret',
    'access refresh bearer auth session >1 token tokens',
    'private >1 key keys',
    'seed recovery >1 phrase',
    'the your their >1 token secret secrets',
  ]),
  ...phrases('text.role', [
    'you >1 are >1 now',
    'from >1 now >1 on',
    'you >1 are >1 in >3 mode',
    'new >1 rule: rules: instruction: instructions:',
    'you >1 obey',
    'restrictions guidelines safeguards limitations >8 not longer >2 apply valid',
    'system >1 override override:',
  ]),
  ...phrases('text.addressed', [
    'note notice message attention instruction instructions hint >1 to for >2 assistants assistant agents agent models model llm llms ai all',
    'assistant: assistants: agents: llm: llms:',
    `${MODEL} >1 must should shall has have`,
    `${MODEL} caller >2 fills opens reads includes supplies passes sends continues copies puts hands appends`,
    `attention warning note >1 ${MODEL} assistant: model: agent:`,
    'system >1 note: notice: message:',
    'your this >1 assistant',
  ]),
  ...phrases('text.command', [
    'curl wget >14 |sh |bash |zsh |python |sudo',
    'rm >1 rf',
    'chmod >2 777 0777',
    'pip npm npx brew >1 install',
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
    ...phrases('text.key-file-use', [`${READ} >8 .env >12 ${HAND}`]),
  ]
}

/** What looks like a secret or like personal data, in the name or the description of an argument. */
export const PRIVATE: readonly Phrase<string>[] = phrases('private', [
  'password passwd passphrase secret secrets token tokens credential credentials apikey email mail phone mobile',
  'ssn birth birthday birthdate address iban card cvv passport salary diagnosis',
  'api private signing >1 key keys',
])
