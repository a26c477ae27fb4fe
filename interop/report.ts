import type { Caller, Upstream } from './peers.ts'
import { ACTIONS, type Action } from './plan.ts'
import type { Pair, Verdict } from './verdict.ts'

type Named = Pick<Caller, 'name' | 'version'>
type Verdicts = ReadonlyMap<Pair, Readonly<Record<Action, Verdict>>>

/** The whole of docs/interop.md. Nothing in it depends on when or where it was written. */
export function writeReport(
  callers: readonly Named[],
  upstreams: readonly (Named & Pick<Upstream, 'alias'>)[],
  verdicts: Verdicts,
): string {
  return `# Interoperability

Written by \`npm run interop\`; do not edit. Each caller does the same things at each server, directly and through one gateway. A tap before
each server sees what reaches it, so that a cancellation counts only when the server was told.

- **ok**: as directly.
- **ok, bridged**: only through the gateway: the two cannot do it by themselves, though each can with somebody else.
- **no (server)**: the server does not do it for any caller, asked directly. **no (client)**: the client does it with no server.
- **FAILED**: it should work and does not; the script fails.

The notes say in whose words, directly.

## Peers

| caller | package |
|---|---|
${callers.map(peerRow).join('\n')}

| server | package |
|---|---|
${upstreams.map(peerRow).join('\n')}

${callers.map(({ name }) => writeCaller(name, upstreams, verdicts)).join('\n')}`
}

function peerRow({ name, version }: Named): string {
  return `| ${name} | \`${version}\` |`
}

function writeCaller(caller: string, upstreams: readonly Named[], verdicts: Verdicts): string {
  const notes: string[] = []
  const rows = upstreams.flatMap(({ name }) => {
    const found = [...verdicts].find(([pair]) => pair.caller === caller && pair.upstream === name)
    return found === undefined ? [] : [`| ${[name, ...ACTIONS.map(action => writeCell(found[1][action], notes))].join(' | ')} |`]
  })
  const written = notes.map((words, index) => `${index + 1}. ${words}`).join('\n')
  return `## ${caller}

| server | ${ACTIONS.join(' | ')} |
|---|${ACTIONS.map(() => '---|').join('')}
${rows.join('\n')}
${written === '' ? '' : `\n${written}\n`}`
}

function writeCell(verdict: Verdict, notes: string[]): string {
  switch (verdict.kind) {
    case 'ok':
      return 'ok'
    case 'bridged':
      return `ok, bridged [${noted(verdict.words, notes)}]`
    case 'cannot':
      return `no (${verdict.who}) [${noted(verdict.words, notes)}]`
    case 'failed':
      return `FAILED [${noted(verdict.words, notes)}]`
  }
}

/** The number of the note, which may be there already. */
function noted(words: string, notes: string[]): number {
  const plain = words.replaceAll('|', '\\|').replaceAll('<', '&lt;')
  if (!notes.includes(plain)) notes.push(plain)
  return notes.indexOf(plain) + 1
}
