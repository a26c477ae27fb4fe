import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { sendBytes } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

let scene: Scene
let isClosed = false
afterEach(async () => {
  if (isClosed) await scene.upstream.close()
  else await scene.close()
  isClosed = false
})

const arrive = (bytes: Buffer) => async () => {
  const { answers, closed } = await sendBytes(scene.gateway.origin, bytes)
  expect(closed).toBe(true)
  const [answer] = answers
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers`)
  return answer
}

describe('a request that does not arrive', () => {
  it('in time is answered, recorded once and closed: half a head, half a body', async () => {
    scene = await startScene({ serve: { arrival: { headersMs: 2_000, requestMs: 2_500, checkEveryMs: 20 } } })
    const whole = scene.bytes()
    const headEnd = whole.indexOf('\r\n\r\n')
    await expectRefused(scene, 'HTTP_TIMEOUT', arrive(whole.subarray(0, headEnd)))
    await expectRefused(scene, 'HTTP_TIMEOUT', arrive(whole.subarray(0, headEnd + 10)))
    expect((await scene.raw()).status).toBe(200)
  })
})

describe('a process that shuts down', () => {
  it('answers what it has begun, and refuses what comes behind it on the same connection', async () => {
    let finish = (): void => {}
    scene = await startScene({
      onCall: () =>
        new Promise(resolve => {
          finish = () => resolve(text('finished'))
        }),
    })
    const socket = connect(Number(new URL(scene.gateway.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', chunk => {
      received += String(chunk)
    })
    socket.write(scene.bytes({ headers: { Connection: 'keep-alive' } }))
    await eventuallyHolds(() => expect(scene.upstream.calls).toHaveLength(1))
    const closing = scene.gateway.close()
    isClosed = true
    socket.write(scene.bytes())
    await eventuallyHolds(() => expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'HTTP_DRAINING', status: 503 }))
    finish()
    await closing
    expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*finished/)
    expect(scene.upstream.calls).toHaveLength(1)
    await eventuallyHolds(() => expect(socket.destroyed || socket.readyState !== 'open').toBe(true))
    socket.destroy()
  })
})
