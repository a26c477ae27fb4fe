import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectUpstreams } from '../../src/connect-upstreams.ts'
import { temporaryFolder, tool } from '../catalog/stub.ts'
import { startUpstreamStub } from '../support/upstream-stub.ts'
import { printed } from './desk.ts'
import { type Run, wicketgate } from './terminal.ts'

const run = (...words: readonly string[]) => wicketgate(['pins', ...words], { USER: 'ann' }, connectUpstreams)
const obey = (shown: Run) => run(...printed(shown))

/** A server that shows two classes of callers something else under the same name; `refuses`: a credential it knows no more. */
async function desk(refuses?: string) {
  const stub = await startUpstreamStub([])
  onTestFinished(() => stub.close())
  const tools: Record<string, readonly object[]> = {
    'Bearer ours': [tool('send')],
    'Bearer a': [tool('send', { description: 'Sends for a.' })],
    'Bearer b': [tool('send', { description: 'Sends for b.' }), tool('audit'), { name: 'broken' }],
  }
  stub.onList = ({ headers }, response) => {
    if (headers.authorization === refuses) response.writeHead(401).end()
    else return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: tools[headers.authorization ?? ''] ?? [] }
    return undefined
  }
  const folder = await temporaryFolder()
  const variant = (name: string) => `{ name: ${name}, claims: { org: { equals: ${name} } }, credential: { bearer: ${name} } }`
  await writeFile(
    join(folder, 'gateway.yaml'),
    `version: 1\npublicUrl: http://127.0.0.1:8080\nissuers: [{ issuer: "https://login.example.com" }]\n` +
      `endpoints: [{ path: /mcp, upstreams: [acme] }]\nupstreams:\n  acme:\n    url: "${stub.url}"\n    credential: { bearer: ours }\n` +
      `    variants: [${variant('a')}, ${variant('b')}]\n`,
  )
  const items = async () =>
    (
      JSON.parse(await readFile(join(folder, 'pins', 'acme.lock.json'), 'utf8')).items as { name: string; variant: string; state: string }[]
    ).map(({ name, variant: of, state }) => `${name} @${of} ${state}`)
  return { items, pins: (...words: readonly string[]) => run(...words, '--policies', folder) }
}

test('every class is fetched under its own credential, and named where it is not everybody', async () => {
  const { pins } = await desk()
  const { out, code } = await pins('fetch')
  expect(code).toBe(3)
  for (const line of [
    /pending +send +p1:/,
    /pending +send @a +p1:/,
    /pending +send @b +p1:/,
    /pending +audit @b +p1:/,
    /withheld +broken @b /,
  ])
    expect(out).toMatch(line)
  const narrowed = (await pins('fetch', '--variant', 'a')).out
  expect(narrowed).toContain('send @a')
  expect(narrowed).not.toMatch(/@b +p1|send +p1/)
  const { upstreams } = JSON.parse((await pins('fetch', '--json')).out)
  expect(upstreams[0].items.map((item: { name: string; variant: string }) => `${item.name} ${item.variant}`)).toEqual([
    'send shared',
    'send a',
    'audit b',
    'send b',
  ])
})

test('what is decided about one class is nothing for the next', async () => {
  const { pins, items } = await desk()
  expect((await pins('approve', 'acme', 'send')).err).toContain('add --variant with one of shared, a, b, or give a digest')
  const shown = await pins('approve', 'acme', 'send', '--variant', 'a')
  expect(shown.out).toContain('Sends for a.')
  expect(await obey(shown)).toMatchObject({ code: 0, out: expect.stringContaining('acme @a  send') })
  expect(await items()).toEqual(['send @a approved'])
  const all = await pins('approve', 'acme', '--all', '--variant', 'b')
  expect(printed(all)).toContain('--variant')
  expect(await obey(all)).toMatchObject({ code: 0 })
  expect(await items()).toEqual(['audit @b approved', 'send @a approved', 'send @b approved'])
  const rejected = await pins('reject', 'acme', 'send', '--variant', 'shared')
  expect(await obey(rejected)).toMatchObject({ code: 0 })
  expect(await items()).toEqual(['audit @b approved', 'send @a approved', 'send @b approved', 'send @shared rejected'])
  expect((await pins('list')).out).toMatch(/approved +send @a +p1:/)
  expect((await pins('diff')).out).toContain('nothing waits for review')
})

test('a credential that is refused hides nothing of the others, and the command fails', async () => {
  const { pins } = await desk('Bearer a')
  const { code, out, err } = await pins('fetch')
  expect([code, out]).toEqual([1, expect.stringMatching(/pending +send @b/)])
  expect(err).toContain('acme @a: its list of kind tool cannot be read')
})
