import { expect, test } from 'vitest'
import { findNotes } from '../../src/policy/index.ts'
import { faultsOf, GATEWAY, load } from './folder.ts'

const withStdio = (body: string): string => GATEWAY.replace(/ {4}url: .*\n/, `    stdio:\n${body.replace(/^(?=.)/gm, '      ')}`)

const OURS = {
  PATH: '/usr/bin',
  HOME: '/home/gateway',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  NODE_OPTIONS: '--inspect',
  LD_PRELOAD: '/x.so',
  AWS_SECRET_ACCESS_KEY: 'hush',
  WICKETGATE_SECRET: 'hush',
  HTTPS_PROXY: 'http://proxy:3128',
  TOKEN: 'hush-hush',
}

async function transportOf(body: string, environment: Readonly<Record<string, string>> = OURS) {
  const { configuration } = await load({ 'gateway.yaml': withStdio(body) }, { environment })
  return configuration.upstreams.get('github')
}

test('a process is given what policy says and a few names of ours, and nothing else', async () => {
  const upstream = await transportOf(
    `command: [mcp-server, --root, /srv]\nenvironment: { TOKEN: "\${TOKEN}", LANG: de_DE.UTF-8, LEVEL: info }\npassEnvironment: [HTTPS_PROXY, NO_SUCH_NAME, toString, __proto__]\n`,
  )
  expect(upstream?.transport).toEqual({
    kind: 'stdio',
    command: ['mcp-server', '--root', '/srv'],
    environment: {
      PATH: '/usr/bin',
      HOME: '/home/gateway',
      LANG: 'de_DE.UTF-8',
      HTTPS_PROXY: 'http://proxy:3128',
      TOKEN: 'hush-hush',
      LEVEL: 'info',
    },
    secrets: ['http://proxy:3128', 'hush-hush', 'de_DE.UTF-8'],
    directory: undefined,
    processes: 1,
    logsStderr: true,
  })
})

test('a process is shared by all, has no host of its own, and is known by its command', async () => {
  const upstream = await transportOf('command: [/opt/server, "a b", "é"]\nprocesses: 3\nstderr: drop\ndirectory: /srv\n')
  expect(upstream).toMatchObject({
    url: 'stdio:%5B%22%2Fopt%2Fserver%22%2C%22a%20b%22%2C%22%C3%A9%22%5D',
    transport: { processes: 3, logsStderr: false, directory: '/srv' },
    sessions: 'shared',
    credentialHeaders: [],
    questions: { form: true, url: false, urlHosts: [] },
  })
})

test('commands that differ in where their words end are different servers', async () => {
  const urls = await Promise.all(
    ['[a, b c]', '[a, b, c]', '["a", "b\\", \\"c"]'].map(async each => (await transportOf(`command: ${each}\n`))?.url),
  )
  expect(new Set(urls).size).toBe(3)
})

test('its environment is no part of what it is, since it is secret', async () => {
  const [one, other] = await Promise.all(
    ['a', 'b'].map(TOKEN => transportOf(`command: [a]\nenvironment: { TOKEN: "\${TOKEN}" }\n`, { TOKEN })),
  )
  expect(one?.url).toBe(other?.url)
  expect(one?.transport).not.toEqual(other?.transport)
})

test('it may send people where policy says', async () => {
  const text = withStdio('command: [a]\n')
    .replace('      command', '      command')
    .concat('    questions: { urlHosts: [pages.example.com] }\n')
  const { configuration } = await load({ 'gateway.yaml': text })
  expect(configuration.upstreams.get('github')?.questions).toMatchObject({ url: true, urlHosts: ['pages.example.com'] })
})

test('a secret of its environment appears in no message', async () => {
  const gateway = withStdio(`command: [a]\nenvironment: { TOKEN: "\${TOKEN}\\0" }\n`)
  const faults = await faultsOf({ 'gateway.yaml': gateway }, { environment: OURS })
  expect(faults).toHaveLength(1)
  expect(JSON.stringify(faults)).not.toContain('hush')
})

test('where credentials are skipped, what its environment needs is not asked for', async () => {
  const gateway = withStdio(`command: [a]\nenvironment: { TOKEN: "\${NOT_HERE}" }\n`)
  expect(await faultsOf({ 'gateway.yaml': gateway })).toMatchObject([{ code: 'variable' }])
  const { configuration } = await load({ 'gateway.yaml': gateway }, { credentials: 'skip' })
  expect(configuration.upstreams.get('github')?.url).toBe('stdio:%5B%22a%22%5D')
})

test('how a server with a URL is spoken to', async () => {
  const { configuration } = await load({ 'gateway.yaml': `${GATEWAY}    transport: sse\n    era: legacy\n    sessions: shared\n` })
  expect(configuration.upstreams.get('github')).toMatchObject({ transport: { kind: 'sse' }, era: 'legacy', sessions: 'shared' })
})

test('a key that may have meant `url` or `stdio` is not also reported as missing', async () => {
  const messages = async (key: string) =>
    (await faultsOf({ 'gateway.yaml': GATEWAY.replace('    url:', `    ${key}:`) })).map(({ message }) => message)
  expect(await messages('uri')).toEqual(['unknown key "uri"; did you mean "url"?'])
  expect(await messages('studio')).toEqual(['unknown key "studio"; did you mean "stdio"?'])
})

test('decisions about another command are noted where the command stands', async () => {
  const loaded = await load({ 'gateway.yaml': withStdio('command: [a]\n') })
  expect(findNotes(loaded, new Map([['github', undefined]]))).toEqual([
    { file: 'gateway.yaml', line: 12, column: 16, message: 'pins/github.lock.json is about another command: nothing in it counts' },
  ])
})
