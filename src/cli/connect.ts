import type { Connection } from '../catalog/index.ts'
import type { Configuration } from '../core/configuration.ts'

/** Reaches the upstreams of a configuration. Handed in by main, so that commands know of no other room. */
export type Connect = (configuration: Configuration) => Connection | Promise<Connection>
