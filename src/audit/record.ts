import type { KeyObject } from 'node:crypto'
import type { EndpointConfig, ItemPolicy } from '../core/configuration.ts'
import type { Facts } from '../core/facts.ts'
import { canonicalJson, compilePointer, type Json } from '../core/json.ts'
import type { Admission, ApprovedItem, CheckedAnswerFacts, CheckedCall, Grant, Principal, RequestId } from '../core/model.ts'
import { variantFact } from '../core/variant.ts'
import { argumentsOf } from '../mcp/index.ts'
import { type Digests, digestUnder } from './digest.ts'
import { quote, scalarText } from './escape.ts'

/** Members of a record as text, each with a leading comma, so that a record is put together from parts that are already written. */
export interface RecordParts {
  who(principal: Principal): string
  item(item: ApprovedItem): string
  endpoint(endpoint: EndpointConfig): string
  requestId(id: RequestId): string
  /** Rule and effect; with a checked call also the digest of its arguments and what policy keeps of them. */
  decision(grant: Grant): string
  call(checked: CheckedCall): string
  /** Limit and leg. */
  limit(admission: Admission): string
  /** What was found in an answer, in words and numbers of ours. */
  found(shown: CheckedAnswerFacts): string
}

interface Identity {
  readonly text: string
  readonly tenantKey: KeyObject
}

export function createRecordParts(digests: Digests): RecordParts {
  const identities = new WeakMap<Principal, Identity>()
  const items = new WeakMap<ApprovedItem, string>()
  const endpoints = new WeakMap<EndpointConfig, string>()
  const keeps = new WeakMap<ItemPolicy, readonly Keep[]>()

  const identityOf = (principal: Principal): Identity => {
    let identity = identities.get(principal)
    if (identity === undefined) {
      identity = { text: identityText(principal), tenantKey: digests.tenantKey(principal) }
      identities.set(principal, identity)
    }
    return identity
  }
  const keepsOf = (policy: ItemPolicy): readonly Keep[] => {
    let keep = keeps.get(policy)
    if (keep === undefined) {
      keep = policy.audit.keep.map(pointer => ({ name: quote(pointer), read: compilePointer(pointer) }))
      keeps.set(policy, keep)
    }
    return keep
  }

  return {
    who: principal => identityOf(principal).text,
    item: item => remembered(items, item, itemText),
    endpoint: endpoint => remembered(endpoints, endpoint, ({ path }) => `,"endpoint":${quote(path)}`),
    requestId: id => `,"requestId":${typeof id === 'number' ? id : `"${digests.of('id', id)}"`}`,
    decision: grant => `,"effect":"${grant.effect}","rule":${quote(grant.rule)}`,
    call({ grant, canonicalArguments }) {
      const { tenantKey } = identityOf(grant.principal)
      const keep = keepsOf(grant.policy)
      const digest = `,"argumentsDigest":"${digestUnder(tenantKey, canonicalArguments)}"`
      return keep.length === 0 ? digest : digest + keptText(keep, argumentsOf(grant.item, grant.call), tenantKey)
    },
    limit({ limit, leg }) {
      const resumed = leg === undefined ? '' : `,"leg":${leg.number}`
      if (limit === undefined) return resumed
      const remaining = Math.floor(limit.remaining)
      return `${resumed},"limit":${quote(limit.address)},"limitRemaining":${remaining},"limitDegraded":${limit.degraded}`
    },
    found: ({ mismatch, linksWithheld, hiddenCharacters, truncatedBytes }) =>
      member('mismatch', mismatch && oneLine(mismatch)) +
      count('linksWithheld', linksWithheld) +
      count('hiddenCharacters', hiddenCharacters) +
      count('truncatedBytes', truncatedBytes),
  }
}

function remembered<Key extends object>(known: WeakMap<Key, string>, key: Key, write: (key: Key) => string): string {
  let text = known.get(key)
  if (text === undefined) {
    text = write(key)
    known.set(key, text)
  }
  return text
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`
}

/** The list that a caller reads, without its bullets. */
function oneLine(list: string): string {
  return list.replace(/^\n- /, '').replaceAll(':\n- ', ': ').replaceAll('\n- ', '; ')
}

function count(name: string, value: number | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`
}

function identityText(principal: Principal): string {
  return (
    member('issuer', principal.issuer) +
    member('subject', principal.subject) +
    member('clientId', principal.clientId) +
    member('tenant', principal.tenant) +
    `,"anonymous":${principal.anonymous}` +
    member('scopes', [...principal.scopes].sort().join(' '))
  )
}

/** Names are a person's who approved them; the URI of a resource that no list names is the caller's, and may hold a secret. */
function itemText({ alias, variant, exposedName, upstreamName, pin, listed }: ApprovedItem): string {
  const whose = member('alias', alias) + member('variant', variantFact(variant).variant)
  if (!listed) return whose
  return member('exposedName', exposedName) + whose + member('upstreamName', upstreamName) + member('pin', pin)
}

interface Keep {
  readonly name: string
  readonly read: (value: Json) => Json | undefined
}

function keptText(keep: readonly Keep[], args: Json, key: KeyObject): string {
  let text = ''
  for (const { name, read } of keep) {
    const value = read(args)
    if (value !== undefined) text += `${text === '' ? '' : ','}${name}:${scalarText(value) ?? shapeText(value, key)}`
  }
  return `,"kept":{${text}}`
}

/** Of an array or an object only its type, its size and a keyed digest. */
function shapeText(value: Json, key: KeyObject): string {
  const canonical = canonicalJson(value)
  const [type, length] = Array.isArray(value)
    ? ['array', value.length]
    : value !== null && typeof value === 'object' && canonical.startsWith('{')
      ? ['object', Object.keys(value).length]
      : ['number', canonical.length]
  return `{"type":"${type}","length":${length},"digest":"${digestUnder(key, canonical)}"}`
}

/** Members with names and values of ours or of a configuration; at most 16, each capped. */
export function mapText(facts: Facts): string {
  let text = ''
  let count = 0
  for (const name in facts) {
    const value = facts[name]
    if (value === undefined) continue
    if (count === 16) break
    const shown = typeof value === 'string' ? quote(value) : typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value)
    text += `${count === 0 ? '' : ','}${quote(name)}:${shown}`
    count += 1
  }
  return `{${text}}`
}
