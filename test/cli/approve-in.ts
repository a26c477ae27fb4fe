import { join } from 'node:path'
import { decide, editLock } from '../../src/catalog/index.ts'
import { pinOf } from '../../src/catalog/pin.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { upstreamAt } from '../catalog/stub.ts'

/** Where `GATEWAY` of test/policy/folder.ts says that `github` is. */
const GITHUB = 'https://mcp.github.internal/mcp'

/** Writes the lock of `github` into a policy folder, as if somebody had approved tools with these input schemas. */
export async function approveIn(directory: string, schemas: Readonly<Record<string, JsonObject>>, url = GITHUB): Promise<void> {
  const upstream = upstreamAt('github', url)
  const tools = Object.entries(schemas).map(([name, inputSchema]) => {
    const descriptor = { name, description: `does ${name}`, inputSchema }
    const pin = pinOf({ upstream: 'github', endpoint: url, kind: 'tool', name, variant: 'shared', descriptor })
    return { kind: 'tool', name, pin, descriptor } as const
  })
  const decision = { state: 'approved', by: 'ann', atMs: 0, reason: '' } as const
  await editLock(join(directory, 'pins'), 'github', lock => decide(lock, upstream, tools, decision))
}
