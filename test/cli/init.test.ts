import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPolicies } from '../../src/policy/index.ts'
import { prompt, resource, startStub, template, temporaryFolder, tool } from '../catalog/stub.ts'
import { wicketgate } from './terminal.ts'

const load = (folder: string, environment = {}) => loadPolicies(folder, { environment, listenerIsLoopback: true, allowAnonymous: false })

async function initAt(url: string, ...words: readonly string[]) {
  const folder = join(await temporaryFolder(), 'policies')
  const run = await wicketgate(['init', '--upstream', `tickets=${url}`, '--policies', folder, ...words])
  return { folder, ...run }
}

describe('init writes a folder that loads and lets nobody call anything', () => {
  test.each([
    ['without a word about callers', [], { issuers: ['https://login.example.com'], anonymous: undefined, pollMs: 600_000 }],
    ['for one issuer', ['--issuer', 'https://id.test'], { issuers: ['https://id.test'], anonymous: undefined, pollMs: 600_000 }],
    ['for trying out', ['--anonymous'], { issuers: [], anonymous: { scopes: [] }, pollMs: 10_000 }],
  ])('%s', async (_, words, expected) => {
    const stub = await startStub(tool('create_ticket'), tool('read.one'))
    const { folder, code, out } = await initAt(stub.url, ...words)
    expect(code).toBe(0)
    expect(out).toContain('(2 tools)')
    const { configuration } = await load(folder)
    expect(configuration.issuers.map(({ issuer }) => issuer)).toEqual(expected.issuers)
    expect(configuration.endpoints).toMatchObject([{ path: '/mcp', upstreams: ['tickets'], anonymous: expected.anonymous }])
    expect(configuration.pins.pollMs).toBe(expected.pollMs)
    expect(configuration.upstreams.get('tickets')).toMatchObject({
      url: stub.url,
      tools: [
        { key: 'create_ticket', effect: 'destructive' },
        { key: 'read.one', effect: 'destructive' },
      ],
    })
    expect(await readFile(join(folder, 'tools', 'tickets.yaml'), 'utf8')).not.toMatch(/^ *allow:/m)
    expect(await readdir(folder)).toEqual(['gateway.yaml', 'tools'])
  })

  test('whatever the tools are called', async () => {
    const names = [
      'null',
      'true',
      'a: b',
      '# c',
      '"q"',
      "'s'",
      `${'{HOME}'}`,
      '$$',
      '- x',
      '名前',
      'a\nb: 1',
      '\u202ex',
      'glob*',
      '&a',
      '<<',
      '{}',
      '0x1',
      '~',
    ]
    const { folder, err } = await initAt((await startStub(...names.map(name => tool(name)))).url)
    expect(err).toBe('')
    const { configuration } = await load(folder)
    const kept = names.filter(name => !name.includes('*') && name !== '<<')
    expect(
      configuration.upstreams
        .get('tickets')
        ?.tools.map(({ key }) => key)
        .toSorted(),
    ).toEqual(kept.toSorted())
    expect(await readFile(join(folder, 'tools', 'tickets.yaml'), 'utf8')).toMatch(/Left out: 2/)
  })

  test('with prompts, resources and templates, one by one or, where there are many, by scheme', async () => {
    const stub = await startStub(tool('a'))
    stub.items('prompt', prompt('sum'), prompt('a*'), prompt('<<'))
    const files = Array.from({ length: 21 }, (_, index) => resource(`file:///${index}`))
    stub.items('resource', resource('db://orders/7'), resource('db://*'), ...files)
    stub.items('resourceTemplate', template('db://{table}/{id}'), template('log://{/path*}'), template('file:///{+path}'))
    const { folder, out } = await initAt(stub.url)
    expect(out).toContain('(1 tool, 3 prompts, 23 resources, 3 resource templates)')
    const { configuration } = await load(folder)
    const upstream = configuration.upstreams.get('tickets')
    expect(upstream?.prompts.map(({ key }) => key)).toEqual(['sum'])
    expect(upstream?.resources.map(({ key }) => key).toSorted()).toEqual(['db://orders/7', 'db://{table}/{id}', 'file:*', 'log://{/path*}'])
    const text = await readFile(join(folder, 'tools', 'tickets.yaml'), 'utf8')
    expect(text).toMatch(/Left out: 3/)
    expect(text).not.toMatch(/^ *allow:/m)
  })

  test('also where a list other than that of tools cannot be read', async () => {
    const stub = await startStub(tool('a'))
    stub.answerList('prompt', () => 500)
    const { folder, out } = await initAt(stub.url)
    expect(out).toContain('(1 tool; its prompts could not be read)')
    expect((await load(folder)).configuration.upstreams.get('tickets')?.prompts).toEqual([])
  })

  test('for a server without tools', async () => {
    const stub = await startStub()
    stub.items('prompt', prompt('sum'))
    const { folder, out } = await initAt(stub.url)
    expect(out).toContain('(0 tools, 1 prompt)')
    expect((await load(folder)).configuration.upstreams.get('tickets')?.prompts).toMatchObject([{ key: 'sum' }])
  })

  test('for a server that needs a token, from a variable that is named and not copied', async () => {
    const stub = await startStub(tool('a'))
    const folder = join(await temporaryFolder(), 'policies')
    const run = await wicketgate(['init', '--upstream', `tickets=${stub.url}`, '--policies', folder, '--bearer', 'TICKETS_TOKEN'], {
      TICKETS_TOKEN: 'SENTINEL',
    })
    expect(run.code).toBe(0)
    expect(await readFile(join(folder, 'gateway.yaml'), 'utf8')).not.toContain('SENTINEL')
    const { configuration } = await load(folder, { TICKETS_TOKEN: 'SENTINEL' })
    expect(configuration.upstreams.get('tickets')?.credentialHeaders).toEqual([['authorization', 'Bearer SENTINEL']])
  })
})

test('a folder with spaces in its name is found again by the steps that are printed', async () => {
  const folder = join(await temporaryFolder(), 'our policies')
  const { url } = await startStub(tool('a'))
  const { out } = await wicketgate(['init', '--upstream', `tickets=${url}`, '--policies', folder])
  expect(out).toContain(`wicketgate serve --policies '${folder}'`)
})

test('everything in the folder is pending, and the steps that are printed lead on', async () => {
  const { folder, out } = await initAt((await startStub(tool('a'))).url, '--anonymous')
  expect((await wicketgate(['pins', 'fetch', '--policies', folder])).code).toBe(3)
  expect(out).toContain(`wicketgate pins approve tickets --all --policies ${folder}`)
  expect((await wicketgate(['pins', 'approve', 'tickets', '--all', '--policies', folder])).out).toContain('To approve exactly this')
})

describe('init writes nothing when', () => {
  test('the server cannot be read', async () => {
    const { folder, code, err } = await initAt('http://127.0.0.1:9/mcp')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Nothing was written') })
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  test.each(['gateway.yaml', 'tools/tickets.yaml'])('%s is there already', async file => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'tools'))
    await writeFile(join(folder, file), 'mine')
    const stub = await startStub(tool('a'))
    const { code, err } = await wicketgate(['init', '--upstream', `tickets=${stub.url}`, '--policies', folder])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('exists already') })
    expect(err).toContain(`write  tickets: { url: "${stub.url}" }  under \`upstreams\``)
    expect(err).toContain(`wicketgate pins approve tickets --all --policies ${folder}`)
    expect(await readFile(join(folder, file), 'utf8')).toBe('mine')
    expect((await readdir(folder, { recursive: true })).filter(name => name.endsWith('.yaml'))).toEqual([file])
    expect(stub.asked).toEqual([])
  })

  test.each([
    [['--upstream', 'tickets'], 1, 'NAME=URL'],
    [['--upstream', 'My Server=http://127.0.0.1:1/mcp'], 1, 'name before "="'],
    [['--upstream', 'tickets=ftp://x'], 2, 'gateway.yaml:'],
    [['--upstream', 'tickets=http://127.0.0.1:1/mcp', '--anonymous', '--issuer', 'https://x.test'], 1, 'choose one'],
    [['--upstream', 'tickets=http://127.0.0.1:1/mcp', '--bearer', 'UNSET'], 2, 'UNSET'],
    [['--upstream', 'tickets=http://127.0.0.1:1/mcp', '--', 'server'], 1, 'not both'],
    [['--upstream', 'tickets', '--bearer', 'TOKEN', '--', 'server'], 1, 'a process is sent no token'],
    [['--upstream', 'tickets', '--', './server'], 2, 'a program is an absolute path'],
  ])('the words are %o', async (words, code, message) => {
    const folder = join(await temporaryFolder(), 'policies')
    expect(await wicketgate(['init', '--policies', folder, ...words])).toMatchObject({ code, err: expect.stringContaining(message) })
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })
})
