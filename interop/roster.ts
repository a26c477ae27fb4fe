import { inspectorCaller } from './callers/inspector.ts'
import { createPythonCaller } from './callers/python.ts'
import { sdkV1Caller } from './callers/sdk-v1.ts'
import { createSdkV2Caller } from './callers/sdk-v2.ts'
import { type Caller, Uninstallable, type Upstream } from './peers.ts'
import { preparePython } from './python.ts'
import { createPythonUpstreams } from './upstreams/python.ts'
import { referenceUpstreams } from './upstreams/reference.ts'
import { sdkV1Upstream } from './upstreams/sdk-v1.ts'
import { sdkV2Upstream } from './upstreams/sdk-v2.ts'

export interface Roster {
  readonly callers: readonly Caller[]
  readonly upstreams: readonly Upstream[]
  /** Peers that cannot be had here, by name. */
  readonly faults: readonly string[]
}

/** Everybody who takes part. What cannot be installed is a fault with a name, and the others go on. */
export async function gatherPeers(): Promise<Roster> {
  const callers = [createSdkV2Caller('auto'), createSdkV2Caller('legacy'), sdkV1Caller, inspectorCaller]
  const upstreams = [sdkV2Upstream, sdkV1Upstream, ...referenceUpstreams]
  try {
    const python = await preparePython()
    callers.push(createPythonCaller(python, 'auto'), createPythonCaller(python, 'legacy'))
    return { callers, upstreams: [...upstreams, ...createPythonUpstreams(python)], faults: [] }
  } catch (error) {
    if (!(error instanceof Uninstallable)) throw error
    return { callers, upstreams, faults: [`Python mcp and Python fastmcp cannot be installed: ${error.message}`] }
  }
}
