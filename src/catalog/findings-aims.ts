import { HAND, HANDED, TOOLS, WHO } from './findings-words.ts'

const SAID = 'conversation conversations chat chats dialogue dialogues dialog discussion transcript exchange exchanges turns'
const LINES = 'message messages prompt prompts queries commands calls words answers replies questions requests'
const BEFORE = 'earlier previous preceding prior last latest recent recently past foregoing first initial original opening'
const WHOLE = 'this our current entire full whole complete'
export const SERVICES =
  'tool tools server servers service services integration integrations connector connectors plugin plugins extension extensions'
const SECRET = 'token tokens secret secrets key keys password passwords credential credentials'
const BELONGINGS =
  'record records data details account accounts profile identity history email emails mail mails contact contacts address addresses calendar employer job salary habits location inbox invoices phone number card login logins birthday health notes files documents bookings orders payroll'

/** What somebody may be after that a tool has no business with, and the moving of it: weak signs, in the words that people have for them. */
export const AIMS = {
  hand: [
    `${HAND} ${HANDED} add adding furnish enclose enclosing lodge populate echo enter write quote quoted repeat repeated encode encoded report reported give given mention state tell tells embed carry carries relay register disclose post record recorded store save log prepend feed convey present gather retrieve fetch collect dump harvest route mirror mirrored bundle bundled swap slip squeeze stuff pack reproduce accompany communicate declare submitted copied uploaded added entered written expected wanted`,
    'goes go belongs belong travels travel >2 in into to here there with along',
    'consists consisting consist made composed >1 of',
    'seeded built made derived computed obtained taken >1 from by of with',
    'use uses take takes >6 as from',
    'starts start begin begins end ends >2 with',
    'followed preceded accompanied replaced completed >1 by',
    'expect expects require requires',
    'is are >1 needed necessary required accepted appreciated welcome',
  ],
  sink: [
    'in into as to through under via for with named called >3 parameter argument field header comment comments remark remarks metadata value note notes',
    'parameter argument field header >1 named called',
    'here',
  ],
  /** What the reader was told and can do. */
  own: [
    'system >1 prompt prompts message messages instruction instructions',
    'context >1 window',
    "your its their caller's callers agent's model's >2 briefing guidance directives",
    'your its their >2 instruction instructions prompt prompts configuration rules guidelines memory reasoning',
    'hidden internal >2 reasoning thoughts thinking',
    'instruction instructions prompt configuration settings text briefing guidance token >5 given received initialised initialized started configured issued',
    `list names set inventory >1 of >3 ${SERVICES}`,
    `which whichever what whatever >3 ${SERVICES}`,
    'tools integrations connectors plugins extensions services >4 available installed connected loaded',
    'whatever everything anything >3 know known reach remember',
  ],
  /** What was said. */
  said: [
    `${WHOLE} ${BEFORE} >3 ${SAID}`,
    `${BEFORE} >3 ${LINES}`,
    `${SAID} ${LINES} context >4 far now here verbatim history beginning start`,
    `${SAID} >2 in >1 full`,
    `more much rest all part gist summary >2 of >2 ${SAID}`,
    'full complete entire whole raw >3 prompt messages text >1 above',
    'full complete entire whole raw >2 prompt prompts',
    `${WHO} they we >4 said talked discussed uttered told confided`,
    'everything anything all whatever what >4 discussed said typed shared exchanged mentioned confided',
    'said typed discussed talked mentioned shared spoken written >5 far now here earlier before chat conversation session dialogue',
    `${LINES} call request >4 led preceding preceded precede`,
    `arguments results result outputs output >4 previous last other earlier ${TOOLS} >2 ${TOOLS} call calls`,
    "user's person's people's >1 own >1 words",
    'word >1 for >1 word',
  ],
  /** What is on the machine. */
  machine: [
    'home user project workspace >1 directory folder dir',
    'downloads desktop pictures documents >1 folder directory',
    '/etc /root /proc .env .pem .key .netrc dotfiles hostname cookie cookies',
    'password >1 manager managers',
    'saved stored browser cached >2 login logins signin sign session token',
    'local >1 storage',
    'environment env >1 variable variables',
    'value values content contents output >4 environment env',
    `${WHO} >3 saved opened edited stored keeps owns holds received visited`,
    "terminal console desktop screen disk drive device phone computer laptop machine >3 user user's",
    "user's >2 terminal console desktop screen disk drive device phone computer laptop machine",
    'open opened recent last >2 document documents tabs editor files file',
    'file files document documents note notes tabs >4 editing edited saved open opened',
    'hidden >1 files file',
    'ssh signing deployment deploy host root >1 key keys credentials',
    'settings config configuration >2 file files',
    'credential credentials >1 helper store',
    'bearer oauth session access refresh auth >1 token tokens cookie cookies',
    `${SECRET} >4 another other earlier session across hold held appeared seen`,
    `github gitlab npm aws azure openai anthropic deploy production >3 ${SECRET}`,
    `any anything every >2 ${SECRET}`,
    'ending ends >2 .pem .key .env pem',
  ],
  /** What is known of people. */
  person: [
    `user's person's people's customer's traveller's client's >3 name names ${BELONGINGS}`,
    'their they >3 contacts calendar employer salary habits inbox invoices logins birthday payroll notes',
    `contacts colleagues employer salary salaries inbox invoices habits ssn age >6 ${WHO} they whatever each`,
    `${WHO} >5 wrote written contacted knows`,
    'account phone social >1 number numbers',
    'home work >3 address addresses',
    'private personal >1 message messages mail mails files documents notes photos information data',
    'everything anything all whatever >1 known >2 about',
    `last ${BEFORE} >3 emails mails invoices payments orders documents spreadsheets photos`,
  ],
  /** What no tool asks for by the way. */
  delicate: [
    'tell show give send report teach >1 us',
    'passport payroll ssn salary salaries keyring keychain clipboard whoami employer employers',
    'shell bash browsing browser >1 history',
    'card bank >1 number statement statements details',
    'card >1 on >1 file',
    'home private >1 address addresses',
  ],
  /** What is done with other tools. */
  elsewhere: [
    `other others another any every each all >2 ${SERVICES}`,
    'mail payment chat message shell backup calendar booking browser >1 tools tool commands',
    'commits messages payments invitations files mails backups invoices >6 should must also carry list',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
