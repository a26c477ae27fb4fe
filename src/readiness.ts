import type { Readiness } from './admin/index.ts'
import type { UpstreamState } from './catalog/index.ts'
import { aliasOfVariant } from './core/variant.ts'
import type { Rooms } from './pipeline/index.ts'
import type { Store } from './store/index.ts'

/** What `/readyz` says: one line for each part that requests depend on, with the reason where something is wrong with it. */
export async function checkReadiness(
  { auth, catalog, upstream, configuration, audit }: Rooms,
  store: Store,
  draining: boolean,
): Promise<Readiness> {
  const storeFault = await store.check().then(
    () => undefined,
    (error: Error) => error.message,
  )
  const missing = new Map(auth.missing().map(({ issuer, reason }) => [issuer, `never fetched: ${reason}`]))
  const others = [
    line('process', draining ? 'shutting down' : undefined),
    line('store', storeFault),
    line('audit', audit.problem()),
    ...configuration.issuers.map(({ issuer }) => line(`keys ${issuer}`, missing.get(issuer))),
  ]
  const eras = new Map(upstream.states().map(({ alias, variant, era }) => [aliasOfVariant(alias, variant), era]))
  const upstreams = catalog.states().map(state => {
    // What a stale one showed last is served until it expires.
    const isServed = state.snapshot === 'fresh' || state.snapshot === 'stale'
    const name = aliasOfVariant(state.alias, state.variant)
    const era = eras.get(name)
    return { ...line(`upstream ${name}`, silenceOf(state), isServed), ...(era && { era }) }
  })
  // One upstream that is down must not take the others' callers away; a gateway that has seen none of them serves nobody.
  const ok = others.every(isOk) && (upstreams.length === 0 || upstreams.some(isOk))
  return { ok, lines: [...others, ...upstreams] }
}

type Line = Readiness['lines'][number]

function line(part: string, reason: string | undefined, ok = reason === undefined): Line {
  return reason === undefined ? { part, ok } : { part, ok, reason }
}

function isOk({ ok }: Line): boolean {
  return ok
}

function silenceOf({ snapshot, silentMs, problem }: UpstreamState): string | undefined {
  const seconds = Math.round(silentMs / 1000)
  const why = problem === undefined ? '' : `: ${problem}`
  switch (snapshot) {
    case 'new':
      return `not seen yet${why}`
    case 'stale':
      return `stale: not seen for ${seconds} s; the tools it showed then are served${why}`
    case 'expired':
      return `not seen for too long: ${seconds} s; none of its tools is served${why}`
    case 'fresh':
      return undefined
  }
}
