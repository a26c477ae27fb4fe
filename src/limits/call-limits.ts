import type { Clock } from '../core/clock.ts'
import type { ItemPolicy, LimitPolicy, LimitsConfig } from '../core/configuration.ts'
import { type PublicDetail, Refusal } from '../core/errors.ts'
import type {
  Admission,
  AdmissionFacts,
  ApprovedItem,
  CallMethod,
  Grant,
  ItemKind,
  LimitState,
  Principal,
  ResumedCall,
} from '../core/model.ts'
import { type Cell, type CellState, createCells, type Store, type StoreKeys, StoreUnavailable, storeRefusal } from '../store/index.ts'
import { partsOf } from './parties.ts'

const MAX_LOCAL_CELLS = 10_000

export interface LimitsOptions {
  readonly store: Store
  readonly keys: StoreKeys
  readonly config: LimitsConfig
  readonly clock: Clock
}

/** What the limit of an item counts. Completions come with every key press and tasks are polled: they have a limit of their own. */
const COUNTED: ReadonlySet<CallMethod> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Calls by what policy says: one decision of the store for each, none where policy sets no limit. */
export function createCallLimits({ store, keys, config, clock }: LimitsOptions) {
  const local = createCells({ clock, max: MAX_LOCAL_CELLS, whenFull: 'refuse' })
  const keyOf = createKeyCache(keys)

  const judge = (resumed: ResumedCall, limit: LimitPolicy, state: CellState, degraded: boolean): Admission => {
    const { policy, item } = resumed.checked.grant
    const address = `${policy.address}/limit`
    if (!state.allowed) throw new Refusal('LIMITS_EXCEEDED', exceeded(item, state.retryAfterMs, config), { limit: address, degraded })
    return admission(resumed, { address, remaining: Math.floor(state.remaining / limit.cost), resetMs: state.resetMs, degraded })
  }

  /** The store is lost: a read goes on with this process's share of the limit, anything else is refused. */
  const admitAlone = (resumed: ResumedCall, limit: LimitPolicy, cell: Cell, error: StoreUnavailable): Admission => {
    if (resumed.checked.grant.effect !== 'read') throw storeRefusal(error)
    return judge(resumed, limit, takeShare(cell), true)
  }

  const takeShare = (cell: Cell): CellState => {
    // The burst is shared too, but a single call must stay possible.
    const burst = Math.max(cell.cost, Math.floor(cell.burst / config.nodes))
    try {
      return local.take({ key: cell.key, emissionMs: cell.emissionMs * config.nodes, burst, cost: cell.cost })
    } catch (error) {
      throw storeRefusal(error)
    }
  }

  const admitLimited = async (resumed: ResumedCall, limit: LimitPolicy): Promise<Admission> => {
    const { calls, perMs, burst, cost } = limit
    const cell: Cell = { key: keyOf(resumed.checked.grant, limit.by), emissionMs: perMs / calls, burst, cost }
    try {
      return judge(resumed, limit, await store.take(cell), false)
    } catch (error) {
      if (error instanceof StoreUnavailable) return admitAlone(resumed, limit, cell, error)
      throw error
    }
  }

  return {
    admit(resumed: ResumedCall): Admission | Promise<Admission> {
      const { policy, call } = resumed.checked.grant
      if (policy.limit === undefined || !COUNTED.has(call.method)) return admission(resumed, undefined)
      return admitLimited(resumed, policy.limit)
    },
  }
}

function admission({ checked, leg }: ResumedCall, limit: LimitState | undefined): Admission {
  const facts: AdmissionFacts = { checked, leg, limit }
  return facts as Admission
}

function exceeded({ kind }: ApprovedItem, retryAfterMs: number, config: LimitsConfig): PublicDetail {
  const text = `Too many calls of this ${NOUNS[kind]}; try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`
  const base: PublicDetail = { text, retryAfterMs, notProcessed: true }
  return config.refusal === 'http' ? { ...base, deliver: 'rpc', status: 429, rpc: 429 } : base
}

type By = LimitPolicy['by']

/** Principals and items outlive a call by far, and a keyed hash costs more than everything else here: one for each pair. */
function createKeyCache(keys: StoreKeys): (grant: Grant, by: By) => string {
  const cache = new WeakMap<Principal, WeakMap<ApprovedItem | ItemPolicy, { readonly by: By; readonly key: string }>>()
  return (grant, by) => {
    const { principal, item, policy } = grant
    let known = cache.get(principal)
    if (known === undefined) {
      known = new WeakMap()
      cache.set(principal, known)
    }
    // Tools and prompts by name; resources by the entry that matched, or each of a template's endless URIs would have a limit of its own.
    const isNamed = item.kind === 'tool' || item.kind === 'prompt'
    const counted = isNamed ? item : policy
    const found = known.get(counted)
    if (found?.by === by) return found.key
    const name = isNamed ? item.upstreamName : policy.address
    const key = keys.key(`limit/${NOUNS[item.kind]}`, [item.alias, name, ...partsOf(principal, by)])
    known.set(counted, { by, key })
    return key
  }
}

const NOUNS: Readonly<Record<ItemKind, string>> = { tool: 'tool', prompt: 'prompt', resource: 'resource', resourceTemplate: 'resource' }
