import type { UpstreamConfig } from '../core/configuration.ts'
import { variantsOf } from '../core/variant.ts'

/** One upstream as one class of principals is shown it, under the credential of that class. */
export interface Face extends UpstreamConfig {
  readonly variant: string
}

export function facesOf(upstream: UpstreamConfig): readonly Face[] {
  return variantsOf(upstream).map(variant => ({ ...upstream, variant }))
}
