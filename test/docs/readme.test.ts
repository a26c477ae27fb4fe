import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { copyCheckout, ROOT } from './checkout.ts'

interface Block {
  readonly language: string
  readonly text: string
}

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const blocksOf = (page: string): readonly Block[] =>
  [...textOf(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
const commandsOf = (all: readonly Block[]): readonly string[] => all.filter(({ language }) => language === 'sh').map(({ text }) => text)
const blocks = blocksOf('README.md')
const commands = commandsOf(blocks)
/** Goes on where the README ends. */
const tokens = blocksOf('docs/tokens.md')

/** First line of each block of commands → what runs it. A block that is not here is a block that nothing runs. */
const RUN_BY: Readonly<Record<string, 'this file' | '.ci/run' | 'test/package/pack.test.ts'>> = {
  'npm install && npm run demo': '.ci/run',
  'npm install && npm test': '.ci/run',
  'npm run example': 'this file',
  'wicketgate() { npm run --silent wicketgate -- "$@"; }': 'this file',
  'wicketgate init --upstream tickets=http://127.0.0.1:3000/mcp --anonymous': 'this file',
  'wicketgate check': 'this file',
  'wicketgate pins approve tickets --all': 'this file',
  'npm start': 'this file',
  'call() {': 'this file',
  'npm pack': 'test/package/pack.test.ts',
}

test('something runs every command of the README', () => {
  expect(commands.map(text => text.split('\n')[0])).toEqual(Object.keys(RUN_BY))
})

test('what is left to CI is what CI does', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  expect(ci).toMatch(/^step npm ci /m)
  expect(ci).toMatch(/^step npm run --silent demo -- --once$/m)
  expect(ci).toMatch(/^step npm test --silent$/m)
})

/** A command of the README that begins so; its ports are those that are free here. */
const command = (start: string): string => commands.find(text => text.startsWith(start)) ?? ''
const blockOf = (all: readonly Block[], language: string, start: string): string =>
  all.find(block => block.language === language && block.text.includes(start))?.text ?? ''

test('the way from nothing to an answered and a refused call, and on to callers with tokens, works as it is written', {
  timeout: 240_000,
}, async () => {
  const folder = copyCheckout()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [serverPort, port, issuerPort, adminPort] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const here = (text: string): string =>
    text.replaceAll(':3000/', `:${serverPort}/`).replaceAll(':8080', `:${port}`).replaceAll(':9000', `:${issuerPort}`)
  const ports = { PORT: String(serverPort), WICKETGATE_PORT: String(port), WICKETGATE_ADMIN_PORT: String(adminPort) }
  const environment = { ...process.env, ...ports, USER: 'ann' }
  /** It listens before it has seen its server; a person is slower than that, and a script on a busy machine is not. */
  const isReady = (): Promise<void> =>
    eventuallyHolds(async () => expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200))
  const shell = (...texts: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', here(texts.join('\n'))], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    })
    return { stdout, stderr, status }
  }
  const wicketgate = command('wicketgate()')

  await start(command('npm run example'), folder, environment, 'an MCP server at')

  const init = shell(wicketgate, command('wicketgate init'))
  expect(init).toMatchObject({
    stderr: '',
    status: 0,
    stdout: expect.stringContaining('Wrote policies/gateway.yaml and policies/tools/tickets.yaml (2 tools)'),
  })
  const gatewayYaml = join(folder, 'policies/gateway.yaml')
  writeFileSync(gatewayYaml, here(readFileSync(gatewayYaml, 'utf8')))

  const policy = blockOf(blocks, 'yaml', '# policies/tools/tickets.yaml')
  mkdirSync(dirname(join(folder, 'policies/tools/tickets.yaml')), { recursive: true })
  writeFileSync(join(folder, 'policies/tools/tickets.yaml'), policy)
  expect(shell(wicketgate, command('wicketgate check'))).toMatchObject({ status: 0, stdout: expect.stringContaining('no faults') })

  const shown = shell(wicketgate, command('wicketgate pins approve'))
  expect(shown).toMatchObject({ status: 3, stdout: expect.stringContaining('Lists all tickets.') })
  const printed = /^ +(wicketgate pins approve .*--digest .*)$/m.exec(shown.stdout)?.[1] ?? ''
  expect(shell(wicketgate, printed)).toMatchObject({ status: 0, stdout: expect.stringContaining('approved  tickets  create_ticket') })

  const gateway = await start(command('npm start'), folder, environment, 'wicketgate listens on')
  await isReady()
  const answers = shell(command('call() {')).stdout.trim().split('\n').map(anyId)
  const promised = blocks.filter(({ language }) => language === 'json').map(({ text }) => anyId(text))
  expect(answers).toEqual(promised)
  expect(answers).toHaveLength(2)
  await expect.poll(gateway.output).toMatch(/"outcome":"OK".*\n.*"outcome":"POLICY_REFUSED"/)

  const client = "new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })"
  for (const page of ['README.md', 'docs/errors.md']) expect(textOf(page)).toContain(client)
  const agent = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  expect((await agent.listTools()).tools).toHaveLength(2)
  await agent.close()

  const [issuer = '', challenged = '', call = '', wider = '', ...others] = commandsOf(tokens)
  expect(others).toEqual([])
  const issuerAt = { PORT: String(issuerPort), RESOURCE: `http://127.0.0.1:${port}/mcp` }
  const issued = await start(issuer, folder, { ...environment, ...issuerAt }, /TOKEN=\S+\n/)
  const trusted = here(blockOf(tokens, 'yaml', '# policies/gateway.yaml'))
  writeFileSync(gatewayYaml, readFileSync(gatewayYaml, 'utf8').replace(/^ *anonymous:.*\n/m, '') + trusted)
  writeFileSync(join(folder, 'policies/tools/tickets.yaml'), blockOf(tokens, 'yaml', '# policies/tools/tickets.yaml'))
  const challenge = here(blockOf(tokens, 'http', '401'))
    .trim()
    .split('\n')
  await expect.poll(() => shell(challenged).stdout.split('\r\n')).toEqual(expect.arrayContaining(challenge))
  const [token = ''] = /TOKEN=\S+/.exec(issued.output()) ?? []
  const [answered, refused] = shell(token, call).stdout.split(/^(?=HTTP)/m)
  expect(answered).toMatch(/^HTTP\/1\.1 200 [\s\S]*The printer is on fire/)
  expect(refused).toMatch(/^HTTP\/1\.1 403 [\s\S]*insufficient_scope", scope="tickets:write"/)
  await issued.stop()
  const reissued = await start(wider, folder, { ...environment, ...issuerAt }, /TOKEN=\S+\n/)
  // Instead of the half minute in which it would not look for another key.
  await gateway.stop()
  await start(command('npm start'), folder, environment, 'wicketgate listens on')
  await isReady()
  const [both = ''] = /TOKEN=\S+/.exec(reissued.output()) ?? []
  expect(shell(both, call).stdout.split(/^(?=HTTP)/m)[1]).toMatch(/^HTTP\/1\.1 200 [\s\S]*Ticket \d+ created/)
})

/** Everything but the id of the record, which is another each time, and the whole of a digest. */
function anyId(text: string): unknown {
  return JSON.parse(text.replace(/"errorId":"[^"]+"/, '"errorId":"…"').replace(/"pin":"p1:[^"]+"/, '"pin":"p1:…"'))
}

/** Starts what keeps running, waits for its word, and stops it when the test is over. */
async function start(
  text: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  word: string | RegExp,
): Promise<{ output(): string; stop(): Promise<void> }> {
  // A group of its own: npm and what it started end together.
  const child: ChildProcess = spawn('bash', ['-c', text], { cwd, env, detached: true })
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    process.kill(-child.pid, 'SIGTERM')
    // Not its exit: what it started may still have the port then.
    await once(child, 'close')
  }
  onTestFinished(stop)
  await expect.poll(() => output).toMatch(word)
  return { output: () => output, stop }
}
