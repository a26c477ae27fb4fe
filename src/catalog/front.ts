import type { EndpointConfig } from '../core/configuration.ts'
import type { ItemKind, Principal } from '../core/model.ts'
import { SHARED } from '../core/variant.ts'
import { prefixAt } from './approved-item.ts'
import { isNamed } from './kinds.ts'
import { NAME_MARK } from './naming.ts'
import type { Collision, Stock } from './view.ts'
import { createWindow, type Window } from './window.ts'

/** What one endpoint shows, and to whom. */
export interface Front {
  readonly windows: readonly Window[]
  /** In the order of the endpoint's upstreams: what a principal is shown of each. */
  windowsOf(principal: Principal): readonly Window[]
  /** The one of them that can show an item of this name. */
  windowOf(kind: ItemKind, exposedName: string, principal: Principal): Window | undefined
}

interface FrontOptions {
  /** Every variant of the endpoint's upstreams, in their order. */
  readonly stocks: readonly Stock[]
  readonly variantOf: (alias: string, principal: Principal) => string
  readonly onCollision: (collision: Collision) => void
}

/**
 * Where everybody is shown the same, one window shows it. Otherwise each variant of each upstream has one of its own: what stands before a
 * name leads to its upstream, and who asks to the variant, so nothing of one class can be found by way of another.
 */
export function createFront(endpoint: EndpointConfig, { stocks, variantOf, onCollision }: FrontOptions): Front {
  if (stocks.every(({ variant }) => variant === SHARED)) {
    const windows = [createWindow(endpoint, stocks, onCollision)]
    const [window] = windows
    return { windows, windowsOf: () => windows, windowOf: () => window }
  }
  const byAlias = new Map<string, Map<string, Window>>()
  for (const stock of stocks) {
    const variants = byAlias.get(stock.alias) ?? new Map<string, Window>()
    byAlias.set(stock.alias, variants.set(stock.variant, createWindow(endpoint, [stock], onCollision)))
  }
  const windowFor = (alias: string, principal: Principal): Window | undefined => {
    const variants = byAlias.get(alias)
    return variants?.get(variants.size === 1 ? SHARED : variantOf(alias, principal))
  }
  const aliases = [...byAlias.keys()]
  // A name's prefix ends with `__` and a URI's with `+`, where there is one.
  const owners = new Map(
    aliases.flatMap(alias => [namePrefixAt(endpoint, alias), prefixAt(endpoint, alias)].map(prefix => [prefix, alias] as const)),
  )
  return {
    windows: [...byAlias.values()].flatMap(variants => [...variants.values()]),
    windowsOf: principal => aliases.flatMap(alias => windowFor(alias, principal) ?? []),
    windowOf(kind, exposedName, principal) {
      const mark = isNamed(kind) ? NAME_MARK : URI_MARK
      const alias = owners.get(endpoint.names === 'prefixed' ? upTo(mark, exposedName) : '')
      return alias === undefined ? undefined : windowFor(alias, principal)
    },
  }
}

const URI_MARK = '+'

/** An alias has no underscore, and a name that is cut to length keeps what stands before it. */
function namePrefixAt({ names }: EndpointConfig, alias: string): string {
  return names === 'prefixed' ? alias + NAME_MARK : ''
}

function upTo(mark: string, name: string): string {
  const at = name.indexOf(mark)
  return at === -1 ? '' : name.slice(0, at + mark.length)
}
