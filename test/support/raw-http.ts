import { once } from 'node:events'
import { connect } from 'node:net'
import type { Answer } from './gateway.ts'

/** What came back over one connection that the peer, or our patience, ended. */
export interface RawExchange {
  readonly answers: readonly Answer[]
  /** The other side closed the connection. */
  readonly closed: boolean
}

/** Sends exactly these bytes over a socket of its own and reads until the peer closes it, or for at most `patienceMs`. */
export async function sendBytes(origin: string, bytes: string | Buffer, patienceMs = 45_000): Promise<RawExchange> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk)).on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  let closed = true
  const patience = setTimeout(() => {
    closed = false
    socket.destroy()
  }, patienceMs)
  await new Promise<void>(resolve => socket.once('close', () => resolve()))
  clearTimeout(patience)
  return { answers: parseAnswers(Buffer.concat(chunks)), closed }
}

/** The one answer to a request that ends its connection. */
export async function sendOne(origin: string, bytes: string | Buffer): Promise<Answer> {
  const { answers } = await sendBytes(origin, bytes)
  const [answer] = answers
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers instead of one`)
  return answer
}

export interface RawRequest {
  /** The whole first line. */
  readonly line: string
  /** Name → value, or values of a header that is sent several times; `undefined` leaves one out. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Header lines exactly as they are, after the others. */
  readonly lines?: readonly string[]
  readonly body?: string | Buffer
}

/** The bytes of one HTTP/1.1 request; nothing is completed or corrected. */
export function writeRequest({ line, headers, lines = [], body = '' }: RawRequest): Buffer {
  const written = Object.entries(headers).flatMap(([name, values]) =>
    values === undefined ? [] : [values].flat().map(value => `${name}: ${value}`),
  )
  return Buffer.concat([Buffer.from(`${[line, ...written, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

/** Reads as many complete answers as there are. */
function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return answers
    const [first = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Headers(
      fields.map(field => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)] as [string, string]),
    )
    const status = Number(first.split(' ')[1])
    const { body, next } = cutBody(rest.subarray(end + 4), headers, status)
    answers.push({ status, headers, text: body, json: parsed(body) })
    rest = next
  }
}

function cutBody(rest: Buffer, headers: Headers, status: number): { readonly body: string; readonly next: Buffer } {
  if (status < 200 || status === 204 || status === 304) return { body: '', next: rest }
  const length = headers.get('content-length')
  if (length !== null) return { body: rest.subarray(0, Number(length)).toString(), next: rest.subarray(Number(length)) }
  if (headers.get('transfer-encoding') !== 'chunked') return { body: rest.toString(), next: Buffer.alloc(0) }
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.subarray(at, lineEnd === -1 ? at : lineEnd).toString(), 16)
    if (!(size > 0)) return { body, next: rest.subarray(lineEnd + 4) }
    body += rest.subarray(lineEnd + 2, lineEnd + 2 + size).toString()
    at = lineEnd + 2 + size + 2
  }
}

function parsed(body: string): Answer['json'] {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
