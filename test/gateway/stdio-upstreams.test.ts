import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts'

const SERVER = fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url))
const programOf = (name: string): string => createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/dist/index.js`)

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(options: Pick<TestGatewayOptions, 'upstreams' | 'tools'> & Partial<TestGatewayOptions>): Promise<TestGateway> {
  const gateway = await startGateway(options)
  closers.push(() => gateway.close())
  return gateway
}

async function createFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'wicketgate-stdio-')))
  closers.push(() => rm(folder, { recursive: true }))
  return folder
}

const open = (effect: string): string => `{ effect: ${effect}, allow: [{ scopes: [tools:write] }] }`

const TOOLS = `  echo: ${open('read')}
  pid: ${open('read')}
  environment: ${open('read')}
  die: ${open('write')}
  wait: ${open('write')}
  complain: ${open('read')}
  progress: ${open('read')}`

interface SmallOptions extends Partial<TestGatewayOptions> {
  readonly stdio?: Record<string, string | number | Record<string, string>>
}

/** A gateway before the small server. */
async function startSmall({ stdio = {}, ...options }: SmallOptions = {}) {
  const logs: string[] = []
  const gateway = await start({
    upstreams: { small: { command: [process.execPath, SERVER], ...stdio } },
    tools: { small: TOOLS },
    ...options,
    serve: { log: line => logs.push(line), ...options.serve },
  })
  const text = async (name: string, args = {}): Promise<string> => {
    const answer = await gateway.call(`small__${name}`, args)
    expect(answer.json, answer.text).toMatchObject({ result: { content: [{ type: 'text' }] } })
    return answer.json.result?.content?.[0]?.text ?? ''
  }
  const events = (name: string) =>
    gateway.trail
      .records()
      .filter(({ event }) => event === name)
      .map(({ detail }) => detail as Record<string, unknown>)
  return { gateway, logs, text, events }
}

/** The same, and how many calls that wait have come to a process of it. */
async function startNoted(stdio: Record<string, number> = {}, environment: Record<string, string> = {}) {
  const notes = join(await createFolder(), 'notes')
  await writeFile(notes, '')
  const small = await startSmall({ stdio: { ...stdio, environment: { ...environment, NOTES: notes } } })
  return { ...small, waits: () => readFileSync(notes, 'utf8').match(/^wait$/gm)?.length ?? 0 }
}

const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false
  } catch {
    return false
  }
}

/** Processes whose parent we are and that run the small server. */
const running = (): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(SERVER) &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`OF=${process.pid}`)
        )
      } catch {
        return false
      }
    })

describe('official servers that are programs', () => {
  test('server-filesystem: what it lists, a call, an error of its own', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'note.txt'), 'what it says')
    const gateway = await start({
      upstreams: { files: { command: [process.execPath, programOf('server-filesystem'), folder] } },
      tools: { files: `  read_text_file: ${open('read')}\n  write_file: ${open('write')}` },
    })
    const { json } = await gateway.send('tools/list')
    const { tools } = json.result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['files__read_text_file', 'files__write_file'])
    const read = await gateway.call('files__read_text_file', { path: join(folder, 'note.txt') })
    expect(read.json.result).toMatchObject({ content: [{ type: 'text', text: 'what it says' }] })
    const written = await gateway.call('files__write_file', { path: join(folder, 'new.txt'), content: 'new' })
    expect(written.json.result?.isError).not.toBe(true)
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('new')
    const refused = await gateway.call('files__read_text_file', { path: '/etc/hostname' })
    expect(refused.json.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Access denied') }] })
  })

  test('server-memory: what one call leaves behind, the next finds', async () => {
    const file = join(await createFolder(), 'memory.json')
    const gateway = await start({
      upstreams: { memory: { command: [process.execPath, programOf('server-memory')], environment: { MEMORY_FILE_PATH: file } } },
      tools: { memory: `  create_entities: ${open('write')}\n  read_graph: ${open('read')}` },
    })
    const entity = { name: 'ann', entityType: 'person', observations: ['likes gates'] }
    const created = await gateway.call('memory__create_entities', { entities: [entity] })
    expect(created.json.result?.isError, created.text).not.toBe(true)
    expect((await gateway.call('memory__read_graph')).json.result).toMatchObject({ structuredContent: { entities: [entity] } })
  })

  test('server-everything: tools, a prompt, a resource, progress', async () => {
    const gateway = await start({
      upstreams: { every: { command: [process.execPath, programOf('server-everything'), 'stdio'] } },
      tools: {
        every: `  echo: ${open('read')}\n  get-sum: ${open('read')}\n  trigger-long-running-operation: ${open('read')}
prompts:\n  simple-prompt: { allow: [{ scopes: [tools:write] }] }
resources:\n  "demo://resource/*": { unlisted: true, allow: [{ scopes: [tools:write] }] }`,
      },
    })
    const echo = await gateway.call('every__echo', { message: 'hello' })
    expect(echo.json.result, echo.text).toMatchObject({ content: [{ text: 'Echo: hello' }] })
    expect((await gateway.call('every__get-sum', { a: 2, b: 3 })).text).toContain('5')
    const prompt = await gateway.send('prompts/get', { name: 'every__simple-prompt' })
    expect(prompt.json.result, prompt.text).toHaveProperty('messages')
    const resource = await gateway.send('resources/read', { uri: 'every+demo://resource/static/document/features.md' })
    expect(resource.json.result, resource.text).toHaveProperty('contents')
    const long = await gateway.call('every__trigger-long-running-operation', { duration: 0.3, steps: 3 }, { meta: { progressToken: 'p' } })
    expect(long.text).toContain('notifications/progress')
    expect(long.text).toContain('"progressToken":"p"')
  })
})

describe('a process behind the gateway', () => {
  test('is given what policy says, and none of our secrets', async () => {
    const { text } = await startSmall({
      stdio: { environment: { TOKEN: '$' + '{TOKEN}', LEVEL: 'info' }, passEnvironment: ['EXTRA'] as unknown as Record<string, string> },
      environment: {
        TOKEN: 'hush-hush-hush',
        EXTRA: 'x',
        PATH: '/usr/bin',
        WICKETGATE_SECRET: '0'.repeat(64),
        AWS_SECRET_ACCESS_KEY: 'no',
      },
    })
    expect(JSON.parse(await text('environment'))).toEqual({ PATH: '/usr/bin', EXTRA: 'x', TOKEN: 'hush-hush-hush', LEVEL: 'info' })
  })

  test('speaks in our log without its secrets, and in the trail not at all', async () => {
    const { gateway, logs, text, events } = await startSmall({
      stdio: { environment: { TOKEN: '$' + '{TOKEN}' } },
      environment: { TOKEN: 'hush-hush-hush' },
    })
    const pid = Number(await text('pid'))
    expect(await text('complain', { text: 'canary-argument' })).toBe('complained')
    await eventually(() => logs.length > 0)
    expect(logs).toEqual([`upstream small[${pid}]: token […], asked canary-argument`])
    expect(events('upstream.noise')).toMatchObject([{ alias: 'small', pid }])
    expect(events('upstream.process')).toMatchObject([{ alias: 'small', state: 'started', pid }])
    const trail = gateway.trail
      .records()
      .map(record => JSON.stringify(record))
      .join('\n')
    expect(trail).not.toMatch(/hush|canary/)
  })

  test('is told of a line break in arguments as of a space', async () => {
    const notes = join(await createFolder(), 'notes')
    const { gateway } = await startSmall({ stdio: { environment: { NOTES: notes } } })
    const second = '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"die","arguments":{}}}'
    const meta = '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}'
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"small__echo","arguments":{"text":"hello","more":\n${second}\n},"_meta":{${meta}}}}`
    const answer = await gateway.post(body, {
      authorization: `Bearer ${gateway.token()}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'small__echo',
    })
    expect(answer.json.result, answer.text).toMatchObject({ content: [{ text: 'hello' }] })
    expect(await readFile(notes, 'utf8')).toBe('echo\n')
  })

  test('that dies in a call leaves its outcome unknown; the next call is made by another', async () => {
    const notes = join(await createFolder(), 'notes')
    const { gateway, text, events } = await startSmall({ stdio: { environment: { NOTES: notes } } })
    const first = await text('pid')
    const died = await gateway.call('small__die')
    expect(died.json.error, died.text).toMatchObject({ code: -32603, data: { code: 'UPSTREAM_INVALID', effect: 'unknown' } })
    expect(gateway.trail.last()).toMatchObject({ outcome: 'UPSTREAM_INVALID', effectStatus: 'unknown', detail: { cause: 'SIGKILL' } })
    expect(await text('pid')).not.toBe(first)
    expect(await readFile(notes, 'utf8')).toBe('pid\ndie\npid\n')
    expect(events('upstream.process').map(({ state, reason }) => [state, reason])).toEqual([
      ['started', undefined],
      ['ended', 'SIGKILL'],
      ['started', undefined],
    ])
  })

  test('that keeps dying is not started for each call: who comes meanwhile was not served, and may come again', async () => {
    const { gateway, events } = await startSmall({ stdio: {}, upstreamYaml: '    timeoutMs: 3000\n' })
    const outcomes: unknown[] = []
    // It is waited for ever longer: at last for longer than a call may take.
    while (outcomes.at(-1) !== true) {
      const { json } = await gateway.call('small__die')
      outcomes.push(json.error?.data?.effect ?? json.error?.data?.notProcessed)
    }
    expect(outcomes).toContain('unknown')
    expect(events('upstream.process').filter(({ state }) => state === 'started').length).toBeLessThan(outcomes.length)
  })

  test('that is killed while several wait: each of them is told', async () => {
    const { gateway, text, waits } = await startNoted()
    const pid = Number(await text('pid'))
    const waiting = [1, 2, 3].map(() => gateway.call('small__wait'))
    await eventually(() => waits() === 3)
    process.kill(pid, 'SIGKILL')
    for (const { json } of await Promise.all(waiting)) expect(json.error?.data).toMatchObject({ effect: 'unknown' })
  })

  test('calls are spread over as many as policy says', async () => {
    const { gateway, text, waits } = await startNoted({ processes: 3 })
    const pids = new Set<string>()
    const busy: Promise<unknown>[] = []
    for (let round = 1; round <= 3; round++) {
      pids.add(await text('pid'))
      busy.push(gateway.call('small__wait'))
      await eventually(() => waits() === round)
    }
    expect(pids.size).toBe(3)
    for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
    await Promise.all(busy)
  })

  test('progress reaches the caller', async () => {
    const { gateway } = await startSmall()
    const answer = await gateway.call('small__progress', {}, { meta: { progressToken: 'p' } })
    expect(answer.text.match(/notifications\/progress/g)).toHaveLength(3)
    expect(answer.text).toContain('"text":"done"')
  })

  test('is gone when the gateway is, with all that waits for it', async () => {
    const { gateway, text } = await startSmall({ stdio: { processes: 2, environment: { OF: String(process.pid) } } })
    const pid = Number(await text('pid'))
    const waiting = gateway.call('small__wait').catch((error: unknown) => error)
    await eventually(() => running().length === 2)
    await gateway.gateway.close(100)
    await waiting
    expect(running()).toEqual([])
    expect(isAlive(pid)).toBe(false)
  })

  test('whose description changes when it is started again is not called any more', async () => {
    const { gateway, text } = await startSmall({
      gatewayYaml: 'pins: { onFirstUse: trust, pollEvery: 1s }',
      stdio: { environment: { DESCRIPTION: '$' + '{WORDS}' } },
      environment: { WORDS: 'One.' },
    })
    expect(await text('echo', { text: 'a' })).toBe('a')
    const path = join(gateway.folder, 'gateway.yaml')
    await writeFile(path, (await readFile(path, 'utf8')).replace('$' + '{WORDS}', 'Two.'))
    await gateway.gateway.reload()
    await eventually(async () => (await gateway.call('small__echo', { text: 'a' })).text.includes('Unknown tool'), 50)
  })
})

test.each([
  ['refuses the question with a code', '', ['started']],
  ['refuses it under no id', 'null', ['started']],
  ['says nothing', 'silent', ['started', 'started', 'ended']],
  ['ends', 'ends', ['started', 'ended', 'started']],
])(
  'a program of an older revision that %s when it is asked which it speaks is spoken to all the same [REQ-STDIO-FALLBACK]',
  async (_name, BEFORE, states) => {
    const { text, events } = await startSmall({ stdio: { environment: { BEFORE } }, upstreamYaml: '    timeoutMs: 6000\n' })
    expect(await text('echo', { text: 'hello' })).toBe('hello')
    await eventually(() => events('upstream.process').length === states.length)
    expect(events('upstream.process').map(({ state }) => state)).toEqual(states)
  },
)

describe('a new policy revision', () => {
  const change = async ({ folder, gateway }: TestGateway, edit: (text: string) => string): Promise<void> => {
    const path = join(folder, 'gateway.yaml')
    await writeFile(path, edit(await readFile(path, 'utf8')))
    await gateway.reload()
  }

  test('that leaves the server as it is leaves its process alone, and what it does', async () => {
    const { gateway, text, events } = await startSmall()
    const before = await text('pid')
    const waiting = gateway.call('small__wait')
    for (let revision = 1; revision <= 3; revision++) await change(gateway, yaml => `${yaml}# ${revision}\n`)
    expect(await text('pid')).toBe(before)
    // Who is told of it now is the newest: what it says reaches the trail of today.
    process.kill(Number(before), 'SIGKILL')
    expect((await waiting).json.error?.data).toMatchObject({ effect: 'unknown' })
    expect(await text('pid')).not.toBe(before)
    expect(events('upstream.process').map(({ state }) => state)).toEqual(['started', 'ended', 'started'])
  })

  test('that changes it takes no call from under the process that it was made to, and leaves no process behind', async () => {
    const { gateway, text, waits } = await startNoted({}, { OF: String(process.pid), LEVEL: 'info' })
    const before = await text('pid')
    const waiting = gateway.call('small__wait')
    await eventually(() => waits() === 1)
    await change(gateway, yaml => yaml.replace('"LEVEL":"info"', '"LEVEL":"debug"'))
    expect(isAlive(Number(before))).toBe(true)
    expect(await text('pid')).not.toBe(before)
    process.kill(Number(before), 'SIGKILL')
    expect((await waiting).json.error?.data).toMatchObject({ effect: 'unknown' })
    await eventually(() => running().length === 1)
  })

  test('that comes to nothing changes nothing', async () => {
    const { gateway, text } = await startSmall({ stdio: { environment: { OF: String(process.pid) } } })
    const before = await text('pid')
    const lock = join(gateway.folder, 'pins', 'small.lock.json')
    const kept = await readFile(lock, 'utf8')
    await writeFile(lock, 'no lock file')
    await expect(change(gateway, yaml => `${yaml}# refused\n`)).rejects.toThrow()
    await writeFile(lock, kept)
    await change(gateway, yaml => `${yaml}# taken\n`)
    expect(await text('pid')).toBe(before)
    await gateway.gateway.close(100)
    expect(running()).toEqual([])
  })

  test('that takes the server away ends its process', async () => {
    const { gateway, text } = await startSmall({
      upstreams: {
        small: { command: [process.execPath, SERVER], environment: { OF: String(process.pid) } },
        other: { command: [process.execPath, SERVER] },
      },
      tools: { small: TOOLS, other: TOOLS },
    })
    await text('pid')
    await rm(join(gateway.folder, 'tools', 'small.yaml'))
    await change(gateway, yaml => yaml.replace('[small, other]', '[other]').replace(/ {2}small:\n.*\n/, ''))
    await eventually(() => running().length === 0)
  })
})
