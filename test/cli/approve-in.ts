import { join } from 'node:path'
import { decide, editLock } from '../../src/catalog/index.ts'
import { identityOf, type PinKind } from '../../src/catalog/kinds.ts'
import { pinOf } from '../../src/catalog/pin.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { upstreamAt } from '../catalog/stub.ts'

/** Where `GATEWAY` of test/policy/folder.ts says that `github` is. */
const GITHUB = 'https://mcp.github.internal/mcp'

/** Writes the lock of `github` into a policy folder, as if somebody had approved tools with these input schemas, and what else there is. */
export async function approveIn(
  directory: string,
  schemas: Readonly<Record<string, JsonObject>>,
  url = GITHUB,
  others: readonly (readonly [kind: PinKind, descriptor: JsonObject])[] = [],
): Promise<void> {
  const upstream = upstreamAt('github', url)
  const tools = Object.entries(schemas).map(([name, inputSchema]) => ['tool', { name, description: `does ${name}`, inputSchema }] as const)
  const items = [...tools, ...others].map(([kind, descriptor]) => {
    const name = String(identityOf(kind, descriptor))
    const pin = pinOf({ upstream: 'github', endpoint: url, kind, name, variant: 'shared', descriptor })
    return { kind, name, variant: 'shared', pin, descriptor } as const
  })
  const decision = { state: 'approved', by: 'ann', atMs: 0, reason: '' } as const
  await editLock(join(directory, 'pins'), 'github', { signers: [] }, lock => decide(lock, upstream, items, decision))
}
