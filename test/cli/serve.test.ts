import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newSigner } from '../catalog/signers.ts'
import { temporaryFolder, tool } from '../catalog/stub.ts'
import { startUpstreamStub } from '../support/upstream-stub.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const flags = (port: number, ...more: readonly string[]) => ['--policies', 'policies/examples/demo', '--port', String(port), ...more]

function start(...words: readonly string[]) {
  const child = spawn(process.execPath, [at('src/main.ts'), 'serve', ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = { child, told: '', ended: once(child, 'close') }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.told += text))
  return run
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a port that is taken is named with the setting that chooses another', async () => {
  const taken = await takenPort()
  const runs = [
    { run: start(...flags(taken, '--admin-port', 'off')), hint: '--port (WICKETGATE_PORT), and let publicUrl in gateway.yaml name it too' },
    { run: start(...flags(0, '--admin-port', String(taken))), hint: '--admin-port (WICKETGATE_ADMIN_PORT)' },
  ]
  for (const { run, hint } of runs) {
    expect(await run.ended).toEqual([1, null])
    expect(run.told).toContain(`port ${taken} of 127.0.0.1 is taken. `)
    expect(run.told).toContain(hint)
  }
})

test('a flag that does not exist is a fault like any other in what was written', async () => {
  const run = start('--prot', '1')
  expect(await run.ended).toEqual([2, null])
  expect(run.told).toBe("error: unknown option '--prot'\n(Did you mean --port?)\n")
})

test('faults are named by the way to their file, so that a terminal can open it', async () => {
  const run = start('--policies', 'policies/bad/alias-unknown')
  expect(await run.ended).toEqual([2, null])
  expect(run.told).toMatch(/^policies\/bad\/alias-unknown\/gateway\.yaml:5:17 {2}/)
})

test('SIGHUP while it starts does not end it: the policies are loaded again as soon as it is up', async () => {
  const folder = join(await temporaryFolder(), 'policies')
  await mkdir(folder)
  // The first reading waits for a writer, so that the signal comes before it is over whatever the speed of this machine.
  const gateway = join(folder, 'gateway.yaml')
  execFileSync('mkfifo', [gateway])
  const run = start('--policies', folder, '--port', '0', '--admin-port', 'off')
  const writer = await open(gateway, 'w')
  run.child.kill('SIGHUP')
  await rm(gateway)
  const text =
    'version: 1\npublicUrl: http://127.0.0.1:8080\nendpoints: [{ path: /mcp, upstreams: [a], anonymous: {} }]\nupstreams: { a: { url: "http://127.0.0.1:9/mcp" } }\n'
  await writeFile(gateway, text)
  await writer.writeFile(text)
  await writer.close()
  await expect.poll(() => run.told).toContain('policies reloaded')
  run.child.kill('SIGTERM')
  expect(await run.ended).toEqual([0, null])
})

test('SIGINT and SIGTERM, one after the other and as soon as it listens, are one orderly end', async () => {
  const audit = join(await temporaryFolder(), 'audit.jsonl')
  const where = ['--policies', at('policies/examples/demo'), '--port', '0', '--admin-port', 'off', '--audit', `file:${audit}`]
  const gateway = spawn(process.execPath, [at('src/main.ts'), 'serve', ...where], { stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  gateway.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  while (!told.includes('wicketgate listens on')) await once(gateway.stderr, 'data')

  gateway.kill('SIGINT')
  gateway.kill('SIGTERM')
  expect(await once(gateway, 'close')).toEqual([0, null])
  expect(told.match(/wicketgate has stopped/g)).toHaveLength(1)
  expect((await readFile(audit, 'utf8')).match(/"event":"stopped"/g)).toHaveLength(1)
})

test('where lock files must be signed, one that is not keeps a gateway from starting, and trust on first use trusts nothing', async () => {
  const folder = await temporaryFolder()
  const key = newSigner().config.publicKey.replace(/^(?=.)/gm, '        ')
  await writeFile(
    join(folder, 'gateway.yaml'),
    'version: 1\npublicUrl: http://127.0.0.1:8080\nendpoints: [{ path: /mcp, upstreams: [a], anonymous: {} }]\n' +
      `upstreams: { a: { url: "http://127.0.0.1:9/mcp" } }\npins:\n  onFirstUse: trust\n  signers:\n    - publicKey: |\n${key}`,
  )
  const up = start('--policies', folder, '--port', '0', '--admin-port', 'off')
  await expect.poll(() => up.told).toContain('trust trusts nothing here: lock files are signed (pins.signers)')
  up.child.kill('SIGTERM')
  await up.ended
  await mkdir(join(folder, 'pins'))
  await writeFile(join(folder, 'pins', 'a.lock.json'), '{\n"version": 1, "upstream": "a", "url": "http://127.0.0.1:9/mcp", "items": []}')
  const refused = start('--policies', folder, '--port', '0', '--admin-port', 'off')
  expect(await refused.ended).toEqual([2, null])
  expect(refused.told).toMatch(/pins\/a\.lock\.json:2:\d+ {2}\/version: is not signed/)
})

test.each([
  ['is said to end sessions with the process', [], '2025-03-26', true],
  ['given is not worth a word', ['--secret', 'a'.repeat(64)], '2025-03-26', false],
  ['means nothing where there are no sessions', [], '2026-07-28', false],
])('a secret that is missing or %s', async (_, words, oldest, isSaid) => {
  const folder = await folderFor('http://127.0.0.1:9/mcp', `minProtocolVersion: "${oldest}"`)
  const run = start('--policies', folder, '--port', '0', '--admin-port', 'off', ...words)
  await expect.poll(() => run.told).toContain('missing: upstream a')
  expect(run.told.includes('  no secret: sessions of clients end with this process')).toBe(isSaid)
  run.child.kill('SIGTERM')
  await run.ended
})

test('what a server shows anew while the gateway runs is said on stderr', async () => {
  const stub = await startUpstreamStub([])
  onTestFinished(() => stub.close())
  stub.capabilities = { tools: {} }
  const run = start('--policies', await folderFor(stub.url), '--port', '0', '--admin-port', 'off')
  await expect.poll(() => run.told).toContain('no secret')
  expect(run.told).not.toContain('pending')
  stub.tools = [{ ...tool('send'), name: 'send' }]
  await expect.poll(() => run.told).toContain('  a: 1 pending, 0 changed; see: wicketgate pins diff a\n')
  run.child.kill('SIGTERM')
  expect(await run.ended).toEqual([0, null])
})

test('a test file with a fault keeps no gateway from starting, and no rule from it', async () => {
  const folder = await folderFor('http://127.0.0.1:9/mcp')
  await mkdir(join(folder, 'tests'))
  await writeFile(join(folder, 'tests/a.yaml'), 'version: [')
  const run = start('--policies', folder, '--port', '0', '--admin-port', 'off')
  await expect.poll(() => run.told).toContain('missing: upstream a')
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'tools/a.yaml'), 'version: 1\nupstream: a\ntools: {}\n')
  await expect.poll(() => run.told).toContain('policies reloaded')
  expect(run.told).not.toContain('policies not changed')
})

test('a change that was refused for a lock file is taken as soon as the lock file is whole', async () => {
  const folder = await folderFor('http://127.0.0.1:9/mcp')
  const run = start('--policies', folder, '--port', '0', '--admin-port', 'off')
  await expect.poll(() => run.told).toContain('missing: upstream a')
  await mkdir(join(folder, 'pins'))
  await writeFile(join(folder, 'pins/a.lock.json'), '<<<<<<< HEAD')
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'tools/a.yaml'), 'version: 1\nupstream: a\ntools: {}\n')
  await expect.poll(() => run.told).toContain('policies not changed')
  await writeFile(join(folder, 'pins/a.lock.json'), '{"version": 1, "upstream": "a", "url": "http://127.0.0.1:9/mcp", "items": []}')
  await expect.poll(() => run.told).toContain('policies reloaded')
})

async function folderFor(url: string, endpoint = 'names: prefixed'): Promise<string> {
  const folder = await temporaryFolder()
  const text = `version: 1\npublicUrl: http://127.0.0.1:8080\nendpoints: [{ path: /mcp, upstreams: [a], anonymous: {}, ${endpoint} }]\n`
  await writeFile(join(folder, 'gateway.yaml'), `${text}upstreams: { a: { url: "${url}" } }\npins: { pollEvery: 1s }\n`)
  return folder
}
