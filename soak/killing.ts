import { setTimeout as sleep } from 'node:timers/promises'
import type { Replicas } from '../test/support/replicas.ts'

export interface KillingOptions {
  readonly replicas: Replicas
  readonly seconds: number
  readonly say: (line: string) => void
}

/** Kills one of them at random, again and again, and starts another in its place; never all of them at once. Resolves with how many. */
export async function killAtRandom({ replicas, seconds, say }: KillingOptions): Promise<number> {
  const untilMs = performance.now() + seconds * 1_000
  let killed = 0
  while (performance.now() < untilMs) {
    await sleep(2_000 + Math.random() * 6_000)
    const index = Math.floor(Math.random() * replicas.all.length)
    const replica = replicas.replica(index)
    await replica.kill()
    killed += 1
    await sleep(Math.random() * 2_000)
    await replica.restart()
    say(`killed ${killed}: replica ${index} is there again`)
  }
  return killed
}
