import type { Configuration } from './core/configuration.ts'
import { createUpstream } from './upstream/index.ts'
import { createValidation } from './validation/index.ts'

/** For commands that look at upstreams and serve nobody: two rooms instead of a house. */
export function connectUpstreams({ upstreams }: Configuration) {
  const upstream = createUpstream({ upstreams, suspect: () => {}, log: line => process.stderr.write(`${line}\n`) })
  return { fetchList: upstream.fetchList, discover: upstream.discover, screen: createValidation().prepare, close: upstream.close }
}
