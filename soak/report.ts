import { cpus } from 'node:os'
import type { Held } from '../test/support/held.ts'
import type { Reckoning } from './reckoning.ts'

export interface Measured {
  readonly seconds: number
  readonly sessions: number
  readonly streams: number
  readonly replicas: number
  readonly killed: number
  readonly reckoning: Reckoning
  readonly intents: number
  readonly effects: number
  readonly openIntents: number
  readonly connections: number
  readonly heard: number
  readonly before: readonly Held[]
  readonly after: readonly Held[]
  readonly keysLeft: number
  readonly channelsLeft: number
}

const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** docs/soak.md, as the run has measured it. */
export function writeReport(measured: Measured): string {
  const { seconds, sessions, streams, replicas, killed, reckoning, before, after } = measured
  const total = [...reckoning.counts.values()].reduce((sum, count) => sum + count, 0)
  const rows = [...reckoning.counts].toSorted().map(([what, count]) => `| ${what} | ${count} |`)
  const memory = before.map((one, index) => {
    const other = after[index] ?? one
    const pair = (of: (held: Held) => string | number): string => `${of(one)} → ${of(other)}`
    const cells = [
      pair(held => mib(held.heapBytes)),
      pair(held => mib(held.externalBytes)),
      pair(held => held.timers),
      pair(held => held.sockets),
    ]
    return `| ${index} | ${cells.join(' | ')} |`
  })
  return `# The soak

\`npm run soak\` writes this page. ${replicas} gateways as processes of their own, one Redis, a balancer that remembers nothing, and two servers: \`acme\` speaks 2026-07-28, \`old\` 2025-11-25 with sessions.
${sessions} sessions of revision 2025-11-25, of 50 people; ${streams} of them hold their own stream. For ${seconds} seconds one gateway after another is killed (SIGKILL), another is started in its place, and two to eight seconds later it is the next one's turn, at random. A fifth of those
who are answered with a stream leave it in the middle and come back for the rest. The clients are made by hand: they try nothing again that they were not told to, so that everything that is lost is seen.

What must not happen, and is a fault of the run: a call that ends without an answer and without a word why; an answer of another call; a keyed effect that runs twice, or that is answered and did not
run; a call that was run though its caller was told \`notProcessed\`; an effect without an intent in the trail; a session that is lost; a held stream that hears nothing any more once the killing is over;
a gateway that holds more after a crowd than after the one before.

**${reckoning.faults.length === 0 ? 'No fault' : `${reckoning.faults.length} faults`}** in ${total} requests, on ${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus().length} cores, ${killed} gateways killed.

| asked | its client learned | times |
|---|---|---|
${rows.join('\n')}

"Told" is an error or a refusal that says what is known; "connection cut" is a request that had no key and whose connection ended before anything came that it could be taken up by. Keyed writes are tried
again under their key until they are answered or told: both rows of theirs count each call once. ${measured.effects} effects have ${measured.intents} intents in the trail, ${measured.openIntents} of which have no outcome: those of gateways that were killed.

The ${streams} held streams were opened ${measured.connections} times and have heard ${measured.heard} notifications; after the last kill each of them heard the next one.

## Memory

After the killing the crowd left, and came and went twice more for a minute without any killing. Each time all had gone, each gateway's heap was collected and read.

| gateway | heap | outside of it | timers | connections |
|---|---|---|---|---|
${memory.join('\n')}

The connections are to the servers, idle ones and those of sessions that people have at \`old\`. In Redis ${measured.keysLeft} keys were left, each with a time to live, and ${measured.channelsLeft} channels.
${
  reckoning.faults.length === 0
    ? ''
    : `\n## Faults\n\n${reckoning.faults
        .slice(0, 50)
        .map(fault => `- ${fault}`)
        .join('\n')}\n`
}`
}
