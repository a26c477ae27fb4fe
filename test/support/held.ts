import { setTimeout as sleep } from 'node:timers/promises'

/** What a process holds after a full collection. */
export interface Held {
  readonly heapBytes: number
  /** Buffers and what else lies outside of the heap. */
  readonly externalBytes: number
  readonly timers: number
  readonly sockets: number
}

/** Starts the process with an inspector that only this machine reaches; `readHeld` finds it in what the process says. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const EXPRESSION = `(() => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const count = name => resources.filter(resource => resource === name).length
  return JSON.stringify({ heapBytes: heapUsed, externalBytes: external, timers: count('Timeout'), sockets: count('TCPSocketWrap') })
})()`

export async function readHeld(stderr: string): Promise<Held> {
  const url = /Debugger listening on (ws:\S+)/.exec(stderr)?.[1]
  if (url === undefined) throw new Error('that process was started without an inspector')
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
  })
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise(resolve => {
      const id = waiting.size + 1
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
  // Finalizers of the first collection free what the second one takes.
  for (let times = 0; times < 3; times += 1) {
    await send('HeapProfiler.collectGarbage')
    await sleep(100)
  }
  const { result } = (await send('Runtime.evaluate', { expression: EXPRESSION })) as { readonly result: { readonly value: string } }
  socket.close()
  return JSON.parse(result.value)
}
