import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Every request gets a key of its own. */
  readonly keyed: boolean
  readonly connections: number
  readonly seconds: number
  /** Of the process whose CPU time is counted. */
  readonly pid: number | undefined
}

export interface Measured {
  readonly rps: number
  readonly p50: number
  readonly p99: number
  /** CPU microseconds per request of the measured process; 0 without one. */
  readonly cpu: number
}

let keys = 0

/** Drives one variant to saturation; anything but 200 is an error, since a refusal costs less than an answer. */
export async function measure({ url, headers, body, keyed, connections, seconds, pid }: Load): Promise<Measured> {
  const before = cpuMicroseconds(pid)
  const request = keyed
    ? {
        setupRequest: (given: autocannon.Request) => ({
          ...given,
          headers: { ...given.headers, 'idempotency-key': `bench-${process.pid}-${++keys}` },
        }),
      }
    : {}
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers: { ...headers },
    body,
    requests: [{ method: 'POST', headers: { ...headers }, body, ...request }],
  })
  const cpu = cpuMicroseconds(pid) - before
  const answered = result['2xx']
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    throw new Error(
      `${url}: ${result.non2xx} refusals and ${result.errors} errors beside ${answered} answers; nothing can be said of its speed`,
    )
  }
  return { rps: answered / result.duration, p50: result.latency.p50, p99: result.latency.p99, cpu: cpu / answered }
}

/** User and system time of a process, from /proc (Linux), in microseconds; its clock ticks 100 times a second. */
function cpuMicroseconds(pid: number | undefined): number {
  if (pid === undefined) return 0
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
