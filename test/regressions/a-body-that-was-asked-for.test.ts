/*
 * Nothing of a stranger's body is read, but it was asked for: `Expect: 100-continue` was answered with "100 Continue" before the token was
 * looked at, so that a client which had asked first sent its megabytes all the same.
 * So: the body is asked for once the caller is known, and a refusal comes instead of the question.
 */
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

it.each([
  ['a stranger', 'Bearer x.y.z', /^HTTP\/1\.1 401 /],
  ['a caller', undefined, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/],
])('%s who asks before sending', async (_, authorization, expected) => {
  const scene = await startScene({ onCall: () => text('done') })
  const { hostname, port } = new URL(scene.gateway.origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  try {
    let got = ''
    const headers = { Expect: '100-continue', ...(authorization === undefined ? {} : { Authorization: authorization }) }
    const bytes = scene.bytes({ headers })
    const bodyAt = bytes.indexOf('\r\n\r\n') + 4
    socket.on('data', chunk => {
      if (got === '' && String(chunk).includes(' 100 ')) socket.write(bytes.subarray(bodyAt))
      got += chunk
    })
    socket.write(bytes.subarray(0, bodyAt))
    await eventually(() => expected.test(got))
    expect(got.includes('100 Continue')).toBe(authorization === undefined)
  } finally {
    socket.destroy()
    await scene.close()
  }
})
