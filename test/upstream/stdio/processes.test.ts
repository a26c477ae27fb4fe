import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../support/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { createScene, isAlive, type OpenLine, type Scene, transportOf } from './processes-support.ts'

const scenes: Scene[] = []
const scene = (...args: Parameters<typeof createScene>): Scene => {
  const made = createScene(...args)
  scenes.push(made)
  return made
}
afterEach(() => Promise.all(scenes.splice(0).map(({ processes }) => processes.close())))

async function ask({ heard, send }: OpenLine, id: number, method = 'ping'): Promise<Record<string, unknown>> {
  send(id, method)
  await eventually(() => heard.messages.some(message => message.id === id))
  return heard.messages.find(message => message.id === id)?.result as Record<string, unknown>
}

const pidOf = ({ reports }: Scene): number => Number(reports.find(({ state }) => state === 'started')?.pid)

/** Numbers of the live members of a process group; what is dead and waits for its parent counts as gone. */
function membersOf(group: number): readonly number[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, , pgid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(pgid) === group && state !== 'Z' ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

describe('what a process is started with', () => {
  test('the environment that policy says and none of ours, the words as they are, in its directory', async () => {
    process.env.WICKETGATE_CANARY = 'hush'
    const words = ['a b', '$HOME', '"; touch /tmp/x; "', '*', '']
    const line = await scene(transportOf('environment', { environment: { TOKEN: 't', LANG: 'C' }, directory: '/usr' }, ...words)).open()
    delete process.env.WICKETGATE_CANARY
    expect(await ask(line, 1)).toEqual({ environment: { TOKEN: 't', LANG: 'C' }, argv: words, directory: '/usr' })
  })

  test('it is in a group of its own and has no file of ours', async () => {
    const made = scene(transportOf('descriptors'))
    const line = await made.open()
    const { open } = (await ask(line, 1)) as { open: [number, string][] }
    const pid = pidOf(made)
    expect(membersOf(pid)).toEqual([pid])
    // Its three pipes, and what Node opens for itself.
    expect(open.filter(([fd, path]) => fd > 2 && !/anon_inode|^pipe:|^\/proc\/|\/dev\/null/.test(path))).toEqual([])
  })

  test.each([
    ['a program that is not there', { command: ['/no/such/program'] as [string] }, 'ENOENT'],
    ['a program that is none', { command: ['/etc/passwd'] as [string] }, 'EACCES'],
    ['a directory that is not there', { directory: '/no/such/folder' }, 'ENOENT'],
  ])('%s: nothing was sent, and the trail says why', async (_name, changes, reason) => {
    const { open, reports } = scene(transportOf('echo', changes))
    await expect(open()).rejects.toMatchObject({ failure: 'not_sent', sent: false, cause: { code: reason } })
    expect(reports).toEqual([{ event: 'upstream.process', alias: 'tickets', state: 'not_started', reason }])
  })
})

describe('a process that ends', () => {
  test('what was under way has an unknown outcome, and is told before the line is down', async () => {
    const made = scene(transportOf('dies'))
    const line = await made.open()
    await ask(line, 1)
    line.send(2, 'wait')
    line.send(3, 'die')
    await eventually(() => line.heard.down.length === 1)
    expect(line.heard.failures).toMatchObject([
      { id: 2, error: { failure: 'broken', sent: true, cause: { code: 'exit 3' } } },
      { id: 3, error: { failure: 'broken', sent: true } },
    ])
    expect(line.heard.down).toMatchObject([{ cause: { code: 'exit 3' } }])
    expect(made.reports.at(-1)).toMatchObject({ event: 'upstream.process', state: 'ended', reason: 'exit 3' })
    line.send(4, 'ping')
    await eventually(() => line.heard.failures.length === 3)
    expect(line.heard.failures[2]).toMatchObject({ id: 4, error: { failure: 'not_sent', sent: false } })
    await expect(line.line.tell('{}')).rejects.toMatchObject({ sent: false })
  })

  test('what it said last is heard', async () => {
    const line = await scene(transportOf('dies')).open()
    line.send(1, 'answer-and-die')
    await eventually(() => line.heard.down.length === 1)
    expect(line.heard.messages).toMatchObject([{ id: 1, result: { last: true } }])
  })

  test('a signal is an end like another', async () => {
    const made = scene(transportOf('dies'))
    const line = await made.open()
    await ask(line, 1)
    process.kill(pidOf(made), 'SIGKILL')
    await eventually(() => line.heard.down.length === 1)
    expect(made.reports.at(-1)).toMatchObject({ state: 'ended', reason: 'SIGKILL' })
  })

  test('who closes its stdout has ended, and is ended', async () => {
    const made = scene(transportOf('closes-stdout'))
    const line = await made.open()
    await eventually(() => line.heard.down.length === 1)
    await eventually(() => membersOf(pidOf(made)).length === 0)
  })

  test('what it left behind ends with it', async () => {
    const made = scene(transportOf('forks'))
    const line = await made.open()
    const { child } = (await ask(line, 1)) as { child: number }
    expect(membersOf(pidOf(made))).toContain(child)
    line.send(2, 'die')
    await eventually(() => line.heard.down.length === 1)
    await eventually(() => membersOf(pidOf(made)).length === 0)
  })

  test('it is started again at once, and ever later while it comes to nothing; who cannot wait is told that nothing was sent', async () => {
    const clock = createTestClock()
    const made = scene(transportOf('dies-at-once'), {}, { clock })
    const die = async (): Promise<void> => {
      const { heard } = await made.open(60_000)
      await eventually(() => heard.down.length === 1)
    }
    await die()
    await expect(made.open(499)).rejects.toMatchObject({ failure: 'not_sent', sent: false, cause: { code: 'restarting' } })
    clock.advance(500)
    await die()
    await expect(made.open(999)).rejects.toMatchObject({ cause: { code: 'restarting' } })
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      clock.advance(wait)
      await die()
    }
    expect(made.reports.filter(({ state }) => state === 'ended')).toHaveLength(9)
  })

  test('one that has lived for a while is started again without a wait', async () => {
    const clock = createTestClock()
    const made = scene(transportOf('dies'), {}, { clock })
    for (let life = 0; life < 3; life++) {
      const line = await made.open(0)
      await ask(line, 1)
      clock.advance(30_000)
      line.send(2, 'die')
      await eventually(() => line.heard.down.length === 1)
    }
  })

  test('who waits for the next start gets it', async () => {
    const made = scene(transportOf('dies'))
    const first = await made.open()
    first.send(1, 'die')
    await eventually(() => first.heard.down.length === 1)
    const second = await made.open(10_000)
    expect(await ask(second, 1)).toHaveProperty('pid')
  })
})

describe('an end that we make', () => {
  test('stdin is closed, and who ends then is sent no signal', async () => {
    const made = scene(transportOf('echo'))
    const line = await made.open()
    await ask(line, 1)
    await line.line.close()
    expect(made.reports.at(-1)).toMatchObject({ state: 'ended', reason: 'exit 0' })
    line.send(2, 'ping')
    await eventually(() => line.heard.failures.length === 1)
    expect(line.heard.failures).toMatchObject([{ id: 2, error: { failure: 'not_sent', cause: { code: 'closed' } } }])
    expect(line.heard.down).toEqual([])
  })

  test('who does not is sent SIGTERM, and may still say why', async () => {
    const made = scene(transportOf('goes-after-sigterm'))
    await ask(await made.open(), 1)
    await made.processes.close()
    expect(made.reports.at(-1)).toMatchObject({ state: 'ended', reason: 'exit 0' })
    expect(made.logs).toEqual([`upstream tickets[${pidOf(made)}]: told to go`])
  })

  test('who stays is killed, with all of its group', async () => {
    const stubborn = scene(transportOf('stays-after-sigterm'))
    const forking = scene(transportOf('forks'))
    await ask(await stubborn.open(), 1)
    await ask(await forking.open(), 1)
    await Promise.all([stubborn.processes.close(), forking.processes.close()])
    expect(stubborn.reports.at(-1)).toMatchObject({ state: 'ended', reason: 'SIGKILL' })
    expect([stubborn, forking].flatMap(made => membersOf(pidOf(made)))).toEqual([])
  })

  test('what was under way is cut, and none is started any more', async () => {
    const made = scene(transportOf('dies'))
    const line = await made.open()
    await ask(line, 1)
    line.send(2, 'wait')
    await made.processes.close()
    await eventually(() => line.heard.failures.length === 1)
    expect(line.heard.failures).toMatchObject([{ id: 2, error: { failure: 'broken', sent: true } }])
    await expect(made.open()).rejects.toMatchObject({ sent: false, cause: { code: 'closed' } })
  })

  test('a process that waits to be started is not', async () => {
    const made = scene(transportOf('dies-at-once'))
    const { heard } = await made.open()
    await eventually(() => heard.down.length === 1)
    const opening = made.open(60_000).catch(error => error)
    await made.processes.close()
    expect(await opening).toMatchObject({ failure: 'not_sent', cause: { code: 'closed' } })
  })

  test('many starts and ends leave no file open and no process behind', async () => {
    const descriptors = (): number => readdirSync('/proc/self/fd').length
    const run = async (): Promise<void> => {
      const made = createScene(transportOf('echo'))
      const lines = await Promise.all([made.open(), made.open()])
      await Promise.all(lines.map(line => ask(line, 1)))
      await made.processes.close()
      const pids = made.reports.flatMap(({ state, pid }) => (state === 'started' ? [Number(pid)] : []))
      expect(pids.filter(isAlive)).toEqual([])
    }
    await run()
    const before = descriptors()
    for (let round = 0; round < 5; round++) await run()
    await eventually(() => descriptors() <= before)
  })
})

describe('what it writes to stderr', () => {
  const KEY = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----'

  test('comes line by line, spelled out, without its secrets, and never too much of it', async () => {
    const environment = { TOKEN: 'hush-hush-hush', KEY }
    const made = scene(transportOf('stderr', { environment, secrets: Object.values(environment) }))
    await ask(await made.open(), 1)
    await made.processes.close()
    const label = `upstream tickets[${pidOf(made)}]: `
    expect(made.logs.every(line => line.startsWith(label))).toBe(true)
    const lines = made.logs.map(line => line.slice(label.length))
    expect(lines.slice(0, 3)).toEqual([
      'token is […]!',
      '\\u{1b}[31mred\\u{202e}\\u{1b}[0m',
      `${'y'.repeat(1_000)}… (4000 more characters)`,
    ])
    expect(lines.slice(3, 7)).toEqual(['key: […]', 'key: […]', 'key: […]', 'line 0'])
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toBe('(406 more lines left out)')
    expect(made.logs.join('')).not.toMatch(/hush|MIIE/)
  })

  test('is dropped where policy says so', async () => {
    const made = scene(transportOf('stderr', { logsStderr: false }))
    await ask(await made.open(), 1)
    await made.processes.close()
    expect(made.logs).toEqual([])
  })
})
