import type { Steps } from '../audit/index.ts'
import type { ErrorCode } from '../core/errors.ts'

export interface Rung {
  /** Room that decides; also the trace step where there is one. */
  readonly step: keyof Steps | 'http' | 'mcp'
  readonly asks: string
  readonly refuses: readonly ErrorCode[]
  /** Why it stands here and not one rung later or earlier. */
  readonly because: string
}

/** The order in which a request for an upstream is judged, with the reason for each place. A test holds the traced order against this list. */
export const LADDER: readonly Rung[] = [
  {
    step: 'http',
    asks: 'Is this request for us, whole, and of a size and kind we read?',
    refuses: [
      'HTTP_MALFORMED',
      'HTTP_TIMEOUT',
      'HTTP_DRAINING',
      'HTTP_HOST_REFUSED',
      'HTTP_ORIGIN_REFUSED',
      'HTTP_NOT_FOUND',
      'HTTP_HEADERS_TOO_LARGE',
      'HTTP_HEADER_DUPLICATE',
      'HTTP_MEDIA_TYPE',
    ],
    because: 'Costs nothing and trusts nothing: a browser on a hostile page is stopped before a token is even looked at.',
  },
  {
    step: 'auth',
    asks: 'Who is calling?',
    refuses: ['AUTH_TOKEN_MISSING', 'AUTH_TOKEN_INVALID', 'LIMITS_ADDRESS', 'AUTH_KEYS_UNAVAILABLE'],
    because: 'Before the body is read: no unauthenticated byte is buffered or parsed.',
  },
  {
    step: 'http',
    asks: 'May this method be used here, and is the body small enough?',
    refuses: ['HTTP_METHOD_NOT_ALLOWED', 'LIMITS_UNDER_WAY', 'HTTP_BODY_TOO_LARGE'],
    because: 'After authentication, so that a stranger learns nothing of what is served.',
  },
  {
    step: 'mcp',
    asks: 'Is it one well-formed message whose headers say what its body says?',
    refuses: [
      'MCP_PARSE',
      'MCP_INVALID_REQUEST',
      'MCP_PARAMS_INVALID',
      'MCP_HEADER_MISMATCH',
      'MCP_VERSION_UNSUPPORTED',
      'MCP_METHOD_NOT_FOUND',
    ],
    because: 'Everything behind this rung reads one meaning: no two parsers can disagree about what was asked.',
  },
  {
    step: 'sessions',
    asks: 'Of a caller from before 2026-07-28: which session is this?',
    refuses: ['SESSION_REQUIRED', 'SESSION_UNKNOWN'],
    because:
      'Behind the message, which says of which era it is. It says what was agreed on with this caller, and opens nothing: the token does.',
  },
  {
    step: 'catalog',
    asks: 'Is there such a tool, prompt or resource, and is it what a person approved?',
    refuses: ['CATALOG_UNKNOWN_TOOL', 'CATALOG_UNKNOWN_PROMPT', 'CATALOG_UNKNOWN_RESOURCE', 'CATALOG_UNAVAILABLE'],
    because: 'Policy is written for what was reviewed; a tool that changed since is no tool.',
  },
  {
    step: 'policy',
    asks: 'May this principal make this call?',
    refuses: ['CATALOG_UNKNOWN_TOOL', 'CATALOG_UNKNOWN_PROMPT', 'CATALOG_UNKNOWN_RESOURCE', 'AUTH_SCOPE_INSUFFICIENT', 'POLICY_REFUSED'],
    because: 'Before validation: who may not use a tool learns nothing of its schema.',
  },
  {
    step: 'validation',
    asks: 'Do the arguments fit the approved schema, and do the mirrored headers agree?',
    refuses: ['VALIDATION_ARGUMENTS', 'MCP_HEADER_MISMATCH'],
    because: 'Before limits: a call that cannot work spends no quota.',
  },
  {
    step: 'state',
    asks: 'Is what comes back of an upstream’s questions ours, and for this call?',
    refuses: ['STATE_INVALID'],
    because: 'Behind validation, which knows what the arguments are, and before limits: what was forged spends no quota.',
  },
  {
    step: 'limits',
    asks: 'Not too often?',
    refuses: ['LIMITS_EXCEEDED', 'STORE_UNAVAILABLE'],
    because: 'Before idempotency: a replay spends quota too, or a loop of replays would be free.',
  },
  {
    step: 'idempotency',
    asks: 'Has a call with this key already run?',
    refuses: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'IDEMPOTENCY_KEY_INVALID',
      'IDEMPOTENCY_BUSY',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_UNKNOWN',
      'STATE_INVALID',
      'STORE_UNAVAILABLE',
    ],
    because: 'Last before the effect, and around it: it alone knows whether the effect may begin and how it ended.',
  },
  {
    step: 'audit',
    asks: 'Is it written down that this is about to happen?',
    refuses: ['AUDIT_UNAVAILABLE'],
    because: 'An effect without a record of its intent could never be explained after a crash. A read is only named here.',
  },
  {
    step: 'upstream',
    asks: 'What does the server answer?',
    refuses: [
      'STORE_UNAVAILABLE',
      'UPSTREAM_UNREACHABLE',
      'UPSTREAM_AUTH_REQUIRED',
      'UPSTREAM_INVALID',
      'UPSTREAM_TIMEOUT',
      'MCP_CAPABILITY_MISSING',
      'CALLER_GONE',
    ],
    because: 'Only an intent that is recorded can be sent.',
  },
  {
    step: 'result',
    asks: 'Is the answer of the form that was approved?',
    refuses: ['VALIDATION_QUESTION', 'UPSTREAM_INVALID'],
    because:
      'Inside idempotency: a withheld answer is still an effect that happened, and is never run again. A tool’s is a notice, not a refusal.',
  },
]
