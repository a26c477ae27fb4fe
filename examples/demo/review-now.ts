import { join } from 'node:path'
import { loadLock, reviewUpstream, type UpstreamReview } from '../../src/catalog/index.ts'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { loadPolicies } from '../../src/policy/index.ts'

/** What `wicketgate pins diff` has to say of a server, before it is put into words. */
export async function reviewNow(policies: string, environment: Readonly<Record<string, string>>, alias: string): Promise<UpstreamReview> {
  const { configuration } = await loadPolicies(policies, { environment, listenerIsLoopback: true, allowAnonymous: false })
  const upstream = configuration.upstreams.get(alias)
  if (upstream === undefined) throw new Error(`there is no upstream ${alias}`)
  const connection = connectUpstreams(configuration)
  try {
    return await reviewUpstream(upstream, await loadLock(join(policies, 'pins'), alias, configuration.pins.signers), connection)
  } finally {
    await connection.close()
  }
}
