/**
 * B41, by hand: `npm exec -- node test/wire/through-nginx.ts`, with nginx on PATH. Not in the suite, which must not depend on nginx.
 * nginx stands in front of the gateway with its default buffering; each event must reach the caller before the upstream writes the next.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGate, eventually } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { streamCall } from '../support/stream-call.ts'
import { eventHead, final, PROGRESS, progress, startWire, writeEvent } from './scene.ts'

const steps = [createGate(), createGate(), createGate()] as const
const scene = await startWire(async ({ message }, response) => {
  eventHead(response)
  for (const [index, step] of steps.entries()) {
    writeEvent(response, progress(message.id, index + 1))
    await step.opened
  }
  writeEvent(response, final(message.id))
  response.end()
})
const folder = await mkdtemp(join(tmpdir(), 'wicketgate-nginx-'))
const port = await freePort()
const { host } = new URL(scene.gateway.url)
const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder};`).join(' ')
await writeFile(
  join(folder, 'nginx.conf'),
  `daemon off; pid ${folder}/pid; error_log stderr warn; events {}
http { access_log off; ${paths}
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://${host}; proxy_http_version 1.1; proxy_set_header Host ${host}; proxy_set_header Connection ""; } } }\n`,
)
const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'inherit', 'inherit'] })
try {
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    const isUp = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
    socket.destroy()
    return isUp
  }, 20)
  const call = await streamCall(`http://127.0.0.1:${port}/mcp`, 'acme__read', { token: scene.gateway.token(), meta: PROGRESS })
  for (const [index, step] of steps.entries()) {
    const event = await call.next()
    assert.deepEqual(event.params, { progressToken: 'p', progress: index + 1 })
    step.open()
  }
  assert.ok('result' in (await call.next()))
  process.stdout.write('each event came through nginx before the next was written\n')
} finally {
  nginx.kill('SIGTERM')
  await once(nginx, 'exit')
  await scene.close()
  await rm(folder, { recursive: true, force: true })
}
