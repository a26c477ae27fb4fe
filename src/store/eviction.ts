import type { Redis } from 'ioredis'
import { StoreUnavailable } from './contract.ts'

/** Throws unless the server is seen to run with `noeviction`: under any other policy it may forget a record, and the effect would run again. */
export async function checkEviction(node: Redis): Promise<void> {
  const policy = (await fromConfig(node)) ?? (await fromInfo(node))
  if (policy === undefined) {
    throw new StoreUnavailable('maxmemory-policy cannot be read: allow this user CONFIG GET or INFO, it must be noeviction')
  }
  if (policy !== 'noeviction') {
    throw new StoreUnavailable(`maxmemory-policy is ${policy}: records could be evicted, set it to noeviction`)
  }
}

/** Managed services often forbid CONFIG. */
async function fromConfig(node: Redis): Promise<string | undefined> {
  try {
    const reply: unknown = await node.config('GET', 'maxmemory-policy')
    const value: unknown = Array.isArray(reply) ? reply[1] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}

async function fromInfo(node: Redis): Promise<string | undefined> {
  try {
    return /^maxmemory_policy:(\S+)/m.exec(await node.info('memory'))?.[1]
  } catch {
    return undefined
  }
}
