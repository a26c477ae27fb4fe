import { inspectorCaller } from './callers/inspector.ts'
import { createEarlierPythonCaller, createPythonCaller } from './callers/python.ts'
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
  const callers: Caller[] = [createSdkV2Caller('auto'), createSdkV2Caller('legacy'), sdkV1Caller, inspectorCaller]
  const upstreams = [sdkV2Upstream, sdkV1Upstream, ...referenceUpstreams]
  const faults: string[] = []
  for (const libraries of ['current', 'earlier'] as const) {
    try {
      const python = await preparePython(libraries)
      if (libraries === 'current') callers.push(createPythonCaller(python, 'auto'), createPythonCaller(python, 'legacy'))
      else callers.push(createEarlierPythonCaller(python))
      upstreams.push(...createPythonUpstreams(python))
    } catch (error) {
      if (!(error instanceof Uninstallable)) throw error
      faults.push(`Python mcp and Python fastmcp (${libraries}) cannot be installed: ${error.message}`)
    }
  }
  return { callers, upstreams, faults }
}
