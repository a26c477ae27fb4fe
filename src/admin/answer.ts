import type { ServerResponse } from 'node:http'

export interface ReadyLine {
  /** `store`, `keys https://login.example.com`, `upstream github` … */
  readonly part: string
  readonly ok: boolean
  /** What is wrong with it, if something is; beside `ok: true` it still does its work. */
  readonly reason?: string
  /** Of an upstream: which revisions it speaks, once that is found out. */
  readonly era?: string
}
export interface Readiness {
  readonly ok: boolean
  readonly lines: readonly ReadyLine[]
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(`${JSON.stringify(body)}\n`)
}

/** 200 or 503, with every part and its reason; a check that fails or takes too long is itself a reason. */
export async function answerReady(response: ServerResponse, ready: () => Promise<Readiness>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Readiness>(resolve => {
    timer = setTimeout(resolve, timeoutMs, { ok: false, lines: [{ part: 'readiness', ok: false, reason: 'the checks took too long' }] })
  })
  const failed: Readiness = { ok: false, lines: [{ part: 'readiness', ok: false, reason: 'the checks failed' }] }
  try {
    const { ok, lines } = await Promise.race([ready(), late])
    answer(response, ok ? 200 : 503, { ok, lines })
  } catch {
    answer(response, 503, failed)
  } finally {
    clearTimeout(timer)
  }
}
