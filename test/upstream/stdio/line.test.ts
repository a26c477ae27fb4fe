import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { createScene, type Scene, transportOf } from './processes-support.ts'

const scenes: Scene[] = []
const scene = (...args: Parameters<typeof createScene>): Scene => {
  const made = createScene(...args)
  scenes.push(made)
  return made
}
afterEach(() => Promise.all(scenes.splice(0).map(({ processes }) => processes.close())))

describe('what a process says', () => {
  test('an answer comes back, whoever asked', async () => {
    const { heard, send } = await scene(transportOf('echo')).open()
    send(1, 'ping', { a: 1 })
    send(2, 'ping', { a: 2 })
    await eventually(() => heard.messages.length === 2)
    expect(heard.messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { params: { a: 1 } } },
      { jsonrpc: '2.0', id: 2, result: { params: { a: 2 } } },
    ])
  })

  test('a message that comes byte by byte, with CRLF, is one message', async () => {
    const { heard, send } = await scene(transportOf('pieces')).open()
    send(1, 'ping', { text: 'größe €😀' })
    await eventually(() => heard.messages.length === 1)
    expect(heard.messages[0]).toMatchObject({ id: 1, result: { text: 'größe €😀' } })
  })

  test('what is no message is passed over, and said once', async () => {
    const { open, reports } = scene(transportOf('noise'))
    const { heard, send } = await open()
    send(1, 'ping')
    await eventually(() => heard.messages.length === 1)
    expect(heard.messages[0]).toMatchObject({ id: 1 })
    expect(reports.filter(({ event }) => event === 'upstream.noise')).toEqual([
      { event: 'upstream.noise', alias: 'tickets', pid: expect.any(Number) },
    ])
    expect(heard.down).toEqual([])
  })

  test.each([
    ['noise-for-ever', 'noise'],
    ['line-without-end', 'endless_line'],
  ])('of %s the process is ended', async (what, reason) => {
    const { open, reports } = scene(transportOf(what))
    const { heard, send } = await open()
    send(1, 'ping')
    await eventually(() => heard.down.length > 0)
    expect(heard.failures).toMatchObject([{ id: 1, error: { failure: 'broken' } }])
    await eventually(() => reports.some(({ state }) => state === 'ended'))
    expect(reports).toContainEqual({ event: 'upstream.process', alias: 'tickets', state: 'broken', pid: expect.any(Number), reason })
  })

  test('messages without end keep neither us busy nor an answer away', async () => {
    const { heard, send } = await scene(transportOf('messages-for-ever')).open()
    await eventually(() => heard.messages.length >= 500)
    send(1, 'ping')
    await eventually(() => heard.messages.some(({ id }) => id === 1), 20)
    const before = heard.messages.length
    const startMs = performance.now()
    await new Promise(resolve => setTimeout(resolve, 600))
    // The longer it took, the more.
    expect(heard.messages.length - before).toBeLessThan((4 * 512 * (performance.now() - startMs)) / 600)
  })

  test('an answer that is too long fails its request alone, where that is the only one', async () => {
    const { heard, send } = await scene(transportOf('long-line'), { maxResponseBytes: 10_000 }).open()
    send(1, 'ping', { length: 20_000 })
    await eventually(() => heard.failures.length === 1)
    expect(heard.failures).toMatchObject([{ id: 1, error: { failure: 'too_large', sent: true } }])
    send(2, 'ping', { length: 9_000 })
    await eventually(() => heard.messages.length === 1)
    expect(heard.messages[0]).toMatchObject({ id: 2 })
    expect(heard.down).toEqual([])
  })

  test('a listener that is slow holds the process back, and hears everything in order', async () => {
    const { heard, send } = await scene(transportOf('echo')).open()
    let isBusy = false
    heard.onEach = async () => {
      expect(isBusy).toBe(false)
      isBusy = true
      await new Promise(resolve => setTimeout(resolve, 2))
      isBusy = false
      return true
    }
    for (let id = 1; id <= 50; id++) send(id, 'ping')
    await eventually(() => heard.messages.length === 50)
    expect(heard.messages.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  test('a listener that throws takes the line down', async () => {
    const { heard, send } = await scene(transportOf('echo')).open()
    heard.onEach = () => {
      throw new Error('not valid')
    }
    send(1, 'ping')
    await eventually(() => heard.down.length > 0)
    expect(heard.failures).toMatchObject([{ id: 1 }])
  })
})

describe('what a process is told', () => {
  test('a line break in what a caller sent begins no second message', async () => {
    const { line, heard } = await scene(transportOf('lines')).open()
    const second = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"wipe"}}'
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":\r\n{"x":\n${second}\r}}}`
    line.send({ id: 1, text, headers: [], timeoutMs: 10_000 })
    await eventually(() => heard.messages.length === 1)
    const { result } = heard.messages[0] as { result: { count: number; line: string } }
    expect(result.count).toBe(1)
    expect(JSON.parse(result.line)).toEqual(JSON.parse(text))
  })

  test.each(['\u0085', '\u2028', '\u2029'])('%j, which some take for the end of a line, arrives as it was', async character => {
    const { heard, send } = await scene(transportOf('lines')).open()
    send(1, 'ping', { text: `a${character}b` })
    await eventually(() => heard.messages.length === 1)
    const { result } = heard.messages[0] as { result: { count: number; line: string } }
    expect(result.count).toBe(1)
    expect(JSON.parse(result.line).params.text).toBe(`a${character}b`)
  })

  test('what a process that reads nothing was not sent has certainly not happened', async () => {
    const { heard, send, line } = await scene(transportOf('deaf'), { timeoutMs: 300 }).open()
    const filler = 'x'.repeat(1_000_000)
    send(1, 'ping', { filler }, 300)
    send(2, 'ping', {}, 300)
    await expect(line.tell('{}').catch(error => error)).resolves.toMatchObject({ failure: 'not_sent' })
    await eventually(() => heard.failures.length === 2)
    expect(heard.failures).toMatchObject([
      { id: 1, error: { failure: 'timeout', sent: true } },
      { id: 2, error: { failure: 'not_sent', sent: false } },
    ])
  })

  test('what nobody waits for any more is never sent', async () => {
    const { heard, send } = await scene(transportOf('lines')).open()
    // The first fills the pipe; the second waits behind it.
    send(1, 'ping', { filler: 'x'.repeat(600_000) })
    send(2, 'ping').stop()
    send(3, 'ping')
    await eventually(() => heard.messages.length === 2)
    expect(heard.messages.map(({ id }) => id)).toEqual([1, 3])
    expect(heard.failures).toEqual([])
  })

  test('a process that reads nothing is not sent more than some megabytes', async () => {
    const { heard, send } = await scene(transportOf('deaf')).open()
    const filler = 'x'.repeat(6_000_000)
    for (let id = 1; id <= 5; id++) send(id, 'ping', { filler })
    await eventually(() => heard.failures.length > 0)
    expect(heard.failures).toMatchObject([
      { id: 4, error: { sent: false } },
      { id: 5, error: { sent: false } },
    ])
  })

  test('a notification is told when it has left', async () => {
    const { line, heard, send } = await scene(transportOf('lines')).open()
    await line.tell('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    send(1, 'ping')
    await eventually(() => heard.messages.length === 1)
    expect(heard.messages[0]).toMatchObject({ result: { count: 2 } })
  })

  test('an answer that does not come is too late at its time, and one that something is heard of is not', async () => {
    const { heard, send } = await scene(transportOf('dies'), { streamIdleMs: 600 }).open()
    send(1, 'wait', {}, 150)
    const second = send(2, 'wait', {}, 150)
    second.heard()
    const third = send(3, 'wait', {}, 150)
    third.hold(true)
    await eventually(() => heard.failures.length === 1)
    expect(heard.failures).toMatchObject([{ id: 1, error: { failure: 'timeout', sent: true } }])
    await eventually(() => heard.failures.length === 2)
    expect(heard.failures[1]).toMatchObject({ id: 2, error: { failure: 'timeout' } })
    third.hold(false)
    await eventually(() => heard.failures.length === 3)
  })

  test('a pipe says that it is listened to, and asks for nothing of it', async () => {
    const { line, heard, send } = await scene(transportOf('lines')).open()
    line.listen()
    line.agree('2025-11-25')
    send(1, 'ping')
    await eventually(() => heard.messages.length === 1)
    expect(heard.channel).toEqual(['open'])
    expect(heard.messages[0]).toMatchObject({ result: { count: 1 } })
  })
})
