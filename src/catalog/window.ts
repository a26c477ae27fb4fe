import type { EndpointConfig } from '../core/configuration.ts'
import type { ItemKind } from '../core/model.ts'
import { prefixAt } from './approved-item.ts'
import { LIST_KINDS, type PinKind } from './kinds.ts'
import type { Space, UriViews } from './resolve.ts'
import { buildView, type Collision, type Stock, type View } from './view.ts'

/** What one endpoint shows of these stocks together. */
export interface Window {
  view(kind: ItemKind): View
  readonly uris: UriViews
  readonly instructions: readonly Instructions[]
  readonly stocks: readonly Stock[]
  /** Looks at these kinds again; true when something else is shown than before. */
  build(kinds: Iterable<PinKind>): boolean
}

interface Instructions {
  readonly stock: Stock
  readonly pin: string
  readonly text: string
}

export function createWindow(endpoint: EndpointConfig, stocks: readonly Stock[], onCollision: (collision: Collision) => void): Window {
  const views = new Map(LIST_KINDS.map(kind => [kind, EMPTY] as const))
  const view = (kind: ItemKind): View => views.get(kind) ?? EMPTY
  let instructions: readonly Instructions[] = []
  let uris = urisOf()

  function urisOf(): UriViews {
    const templates = view('resourceTemplate')
    // Names of the upstream's own are only as unambiguous as there is one upstream.
    const owners = endpoint.names === 'prefixed' || stocks.length === 1 ? stocks : []
    const spaces = owners.map((stock): Space => {
      const offers = templates.list.flatMap(item => (item.alias === stock.alias ? (templates.byName.get(item.exposedName) ?? []) : []))
      const own = offers.map(offer => ({ offer, head: headOf(offer.item.upstreamName) }))
      // Where several fit, the one that says most of the URI; policy may have more to say of it.
      return { stock, prefix: prefixAt(endpoint, stock.alias), templates: own.toSorted((a, b) => b.head.length - a.head.length) }
    })
    return { resources: view('resource'), templates, spaces: new Map(spaces.map(space => [space.prefix, space])) }
  }

  function buildList(kind: ItemKind): boolean {
    const before = view(kind)
    const after = buildView(endpoint, kind, stocks, before)
    views.set(kind, after)
    const known = new Set(before.collisions.map(({ exposedName }) => exposedName))
    for (const collision of after.collisions) if (!known.has(collision.exposedName)) onCollision(collision)
    return after.list.length !== before.list.length || after.list.some((item, index) => item !== before.list[index])
  }

  function buildInstructions(): boolean {
    const before = instructions
    instructions = stocks.flatMap(stock => instructionsOf(stock) ?? [])
    return instructions.length !== before.length || instructions.some(({ pin }, index) => pin !== before[index]?.pin)
  }

  return {
    stocks,
    view,
    get uris() {
      return uris
    },
    get instructions() {
      return instructions
    },
    build(kinds) {
      let isOther = false
      for (const kind of kinds) isOther = (kind === 'server' ? buildInstructions() : buildList(kind)) || isOther
      uris = urisOf()
      return isOther
    },
  }
}

const EMPTY: View = { byName: new Map(), list: [], reasons: new Map(), awaited: new Map(), collisions: [] }

/** Of a template before its first expression; what is not ASCII is another text in a URI. */
function headOf(template: string): string {
  return /^[!-z|~]*/.exec(template)?.[0] ?? ''
}

function instructionsOf(stock: Stock): Instructions | undefined {
  for (const { state, approved } of stock.judged('server')) {
    const text = approved?.descriptor.instructions
    if (state === 'approved' && approved !== undefined && typeof text === 'string') return { stock, pin: approved.pin, text }
  }
  return undefined
}
