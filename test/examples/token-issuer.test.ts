import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
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
  await expect.poll(() => run.out).toContain('TOKEN=')
  const token = /TOKEN=(\S+)/.exec(run.out)?.[1] ?? ''
  const issuer = `http://127.0.0.1:${port}`
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), { issuer, audience, typ: 'at+jwt' })
  expect(payload.scope).toBe(scope)
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
