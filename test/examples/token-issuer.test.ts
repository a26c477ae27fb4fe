import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../docs/checkout.ts'
import { freePort } from '../support/ports.ts'

function start(...words: readonly string[]) {
  const child = spawn(process.execPath, ['examples/token-issuer.ts', ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = { out: '', err: '', ended: once(child, 'close') }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.err += text))
  return run
}

test.each([
  [['tickets:read'], 'http://127.0.0.1:8080/mcp', 'tickets:read'],
  [['--scope', 'a b', '--audience', 'http://gate.example/two', '--scope', 'c', 'd'], 'http://gate.example/two', 'a b c d'],
])('%j: the token is for that endpoint, with those scopes, and verifies with the key it serves', async (words, audience, scope) => {
  const port = await freePort()
  const run = start('--port', String(port), ...words)
  await expect.poll(() => run.out).toMatch(/TOKEN=\S+\n/)
  const token = /TOKEN=(\S+)/.exec(run.out)?.[1] ?? ''
  const issuer = `http://127.0.0.1:${port}`
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), { issuer, audience, typ: 'at+jwt' })
  expect(payload.scope).toBe(scope)
})

test('claims are JSON where they can be, else text; the subject is whom it is said to be', async () => {
  const words = ['--subject', 'bob', '--claim', 'org=acme', '--claim', 'groups=["a","b"]', '--claim', 'level=7', '--claim', 'client_id=x=y']
  const run = start('--port', String(await freePort()), ...words)
  await expect.poll(() => run.out).toMatch(/TOKEN=\S+\n/)
  const claims = decodeJwt(/TOKEN=(\S+)/.exec(run.out)?.[1] ?? '')
  expect(claims).toMatchObject({ sub: 'bob', org: 'acme', groups: ['a', 'b'], level: 7, client_id: 'x=y' })
  const wrong = start('--claim', 'org')
  expect(await wrong.ended).toEqual([1, null])
  expect(wrong.err).toMatch(/^--claim org: write name=value\n\nusage: /)
})

test.each(['examples/token-issuer.ts', 'examples/tickets-server.ts'])('%s ends with the npm that started it', async path => {
  const environment = { ...process.env, npm_execpath: 'npm', PORT: String(await freePort()) }
  const parent = spawn('sh', ['-c', '"$0" "$1" & echo $!; wait', process.execPath, path], { cwd: ROOT, env: environment })
  onTestFinished(() => void parent.kill('SIGKILL'))
  let out = ''
  parent.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await expect.poll(() => out).toMatch(/^\d+\n.*http:/s)
  parent.kill('SIGKILL')
  onTestFinished(() => void spawn('kill', ['-9', String(Number.parseInt(out, 10))], { stdio: 'ignore' }))
  // The pipe ends with the last who could write to it.
  await once(parent, 'close')
})

test('a port that is taken is said in a line, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const run = start('--port', String(port))
  expect(await run.ended).toEqual([1, null])
  expect(run.err).toBe(`port ${port} of 127.0.0.1 is taken, perhaps by another issuer. End that one, or choose another with --port\n`)
})

test('--help says how to call it and starts nothing; so does an option that is none, as a failure', async () => {
  const [help, wrong] = [start('--help'), start('--audiense', 'x')]
  expect(await help.ended).toEqual([0, null])
  expect(help.out).toMatch(/^usage: .*--scope .*--audience /s)
  expect(await wrong.ended).toEqual([1, null])
  expect(wrong.err).toMatch(/^Unknown option '--audiense'.*usage: /s)
})
