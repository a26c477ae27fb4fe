/** Version of the record's schema; raised when a field changes its meaning or goes, not when one is added. */
export const RECORD_VERSION = 1

type Kind = 'request' | 'intent' | 'event'
interface Field {
  /** `map`: one level of members with open names. `id`: a whole number, or a keyed digest of a text. */
  readonly type: 'string' | 'integer' | 'boolean' | 'map' | 'id'
  /** Kinds of record that may carry it, those that always do being in `always`. */
  readonly kinds: readonly Kind[]
  readonly always?: true
}

const REQUEST: readonly Kind[] = ['request']
const CALL: readonly Kind[] = ['request', 'intent']
const ALL: readonly Kind[] = ['request', 'intent', 'event']

/** Every member a record may have. docs/audit.md says what each means; a test holds both, and every emitted record, to this table. */
export const FIELDS = {
  v: { type: 'integer', kinds: ALL, always: true },
  kind: { type: 'string', kinds: ALL, always: true },
  time: { type: 'string', kinds: ALL, always: true },
  id: { type: 'string', kinds: ALL, always: true },
  request: { type: 'string', kinds: ['intent'], always: true },
  event: { type: 'string', kinds: ['event'], always: true },

  issuer: { type: 'string', kinds: CALL },
  subject: { type: 'string', kinds: CALL },
  clientId: { type: 'string', kinds: CALL },
  tenant: { type: 'string', kinds: CALL },
  anonymous: { type: 'boolean', kinds: CALL },
  scopes: { type: 'string', kinds: CALL },

  endpoint: { type: 'string', kinds: REQUEST },
  httpMethod: { type: 'string', kinds: REQUEST, always: true },
  address: { type: 'string', kinds: REQUEST, always: true },
  method: { type: 'string', kinds: REQUEST },
  protocolVersion: { type: 'string', kinds: REQUEST },
  session: { type: 'string', kinds: REQUEST },
  requestId: { type: 'id', kinds: REQUEST },
  exposedName: { type: 'string', kinds: CALL },
  alias: { type: 'string', kinds: CALL },
  variant: { type: 'string', kinds: CALL },
  upstreamName: { type: 'string', kinds: CALL },
  pin: { type: 'string', kinds: CALL },

  outcome: { type: 'string', kinds: REQUEST, always: true },
  detail: { type: 'map', kinds: ['request', 'event'] },
  revision: { type: 'string', kinds: CALL, always: true },
  rule: { type: 'string', kinds: CALL },
  effect: { type: 'string', kinds: CALL },
  limit: { type: 'string', kinds: CALL },
  limitRemaining: { type: 'integer', kinds: CALL },
  limitDegraded: { type: 'boolean', kinds: CALL },
  idempotency: { type: 'string', kinds: REQUEST },
  withheld: { type: 'string', kinds: REQUEST },
  mismatch: { type: 'string', kinds: REQUEST },
  linksWithheld: { type: 'integer', kinds: REQUEST },
  hiddenCharacters: { type: 'integer', kinds: REQUEST },
  truncatedBytes: { type: 'integer', kinds: REQUEST },

  argumentsDigest: { type: 'string', kinds: CALL },
  keyId: { type: 'string', kinds: CALL, always: true },
  kept: { type: 'map', kinds: CALL },
  leg: { type: 'integer', kinds: CALL },

  effectStatus: { type: 'string', kinds: REQUEST },
  resultType: { type: 'string', kinds: REQUEST },
  upstreamErrorCode: { type: 'integer', kinds: REQUEST },
  upstreamBytes: { type: 'integer', kinds: REQUEST },
  status: { type: 'integer', kinds: REQUEST, always: true },
  bytes: { type: 'integer', kinds: REQUEST, always: true },
  cancelled: { type: 'boolean', kinds: REQUEST, always: true },
  latencyUs: { type: 'map', kinds: REQUEST, always: true },
  traceId: { type: 'string', kinds: REQUEST },
  callerTraceId: { type: 'string', kinds: REQUEST },
} as const satisfies Record<string, Field>
