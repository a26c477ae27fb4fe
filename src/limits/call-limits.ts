import type { Clock } from '../core/clock.ts'
import type { LimitPolicy, LimitsConfig } from '../core/configuration.ts'
import { type PublicDetail, Refusal } from '../core/errors.ts'
import type { Admission, AdmissionFacts, ApprovedItem, CheckedCall, LimitState, Principal } from '../core/model.ts'
import { type Cell, type CellState, createCells, type Store, type StoreKeys, StoreUnavailable, storeRefusal } from '../store/index.ts'
import { partsOf } from './parties.ts'

const MAX_LOCAL_CELLS = 10_000

export interface LimitsOptions {
  readonly store: Store
  readonly keys: StoreKeys
  readonly config: LimitsConfig
  readonly clock: Clock
}

/** Calls by what policy says: one decision of the store for each, none where policy sets no limit. */
export function createCallLimits({ store, keys, config, clock }: LimitsOptions) {
  const local = createCells({ clock, max: MAX_LOCAL_CELLS, whenFull: 'refuse' })
  const keyOf = createKeyCache((principal, tool, by) => keys.key('limit', [tool.alias, tool.upstreamName, ...partsOf(principal, by)]))

  const judge = (checked: CheckedCall, limit: LimitPolicy, state: CellState, degraded: boolean): Admission => {
    const address = `${checked.grant.policy.address}/limit`
    if (!state.allowed) throw new Refusal('LIMITS_EXCEEDED', exceeded(state.retryAfterMs, config), { limit: address, degraded })
    return admission(checked, { address, remaining: Math.floor(state.remaining / limit.cost), resetMs: state.resetMs, degraded })
  }

  /** The store is lost: a read goes on with this process's share of the limit, anything else is refused. */
  const admitAlone = (checked: CheckedCall, limit: LimitPolicy, cell: Cell, error: StoreUnavailable): Admission => {
    if (checked.grant.effect !== 'read') throw storeRefusal(error)
    return judge(checked, limit, takeShare(cell), true)
  }

  const takeShare = (cell: Cell): CellState => {
    // The burst is shared too, but a single call must stay possible.
    const burst = Math.max(cell.cost, Math.floor(cell.burst / config.nodes))
    try {
      return local.take({ key: cell.key, emissionMs: cell.emissionMs * config.nodes, burst, cost: cell.cost })
    } catch (error) {
      throw error instanceof StoreUnavailable ? storeRefusal(error) : error
    }
  }

  const admitLimited = async (checked: CheckedCall, limit: LimitPolicy): Promise<Admission> => {
    const { principal, item } = checked.grant
    const { calls, perMs, burst, cost } = limit
    const cell: Cell = { key: keyOf(principal, tool, limit.by), emissionMs: perMs / calls, burst, cost }
    try {
      return judge(checked, limit, await store.take(cell), false)
    } catch (error) {
      if (error instanceof StoreUnavailable) return admitAlone(checked, limit, cell, error)
      throw error
    }
  }

  return {
    admit(checked: CheckedCall): Admission | Promise<Admission> {
      const { limit } = checked.grant.policy
      return limit === undefined ? admission(checked, undefined) : admitLimited(checked, limit)
    },
  }
}

function admission(checked: CheckedCall, limit: LimitState | undefined): Admission {
  const facts: AdmissionFacts = { checked, limit }
  return facts as Admission
}

function exceeded(retryAfterMs: number, config: LimitsConfig): PublicDetail {
  const text = `Too many calls of this tool; try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`
  const base: PublicDetail = { text, retryAfterMs, notProcessed: true }
  return config.refusal === 'http' ? { ...base, deliver: 'rpc', status: 429, rpc: 429 } : base
}

type By = LimitPolicy['by']

/** Principals and tools outlive a call by far, and a keyed hash costs more than everything else here: one for each pair. */
function createKeyCache(make: (principal: Principal, tool: ApprovedItem, by: By) => string) {
  const cache = new WeakMap<Principal, WeakMap<ApprovedItem, { readonly by: By; readonly key: string }>>()
  return (principal: Principal, tool: ApprovedItem, by: By): string => {
    let tools = cache.get(principal)
    if (tools === undefined) {
      tools = new WeakMap()
      cache.set(principal, tools)
    }
    const known = tools.get(tool)
    if (known?.by === by) return known.key
    const key = make(principal, tool, by)
    tools.set(tool, { by, key })
    return key
  }
}
