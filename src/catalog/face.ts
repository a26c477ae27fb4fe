import type { UpstreamConfig } from '../core/configuration.ts'

/** One upstream as one class of principals is shown it, under the credential of that class. */
export interface Face extends UpstreamConfig {
  readonly variant: string
}

export function faceOf(upstream: UpstreamConfig, variant: string): Face {
  return { ...upstream, variant }
}
