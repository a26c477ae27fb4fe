import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'

const SERVER = fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url))
const HOSTILE = fileURLToPath(new URL('../upstream/stdio/peer.mjs', import.meta.url))

let mint: TokenMint
let gateway: GatewayProcess | undefined
beforeAll(async () => {
  mint = await startTokenMint()
})
afterEach(async () => {
  await gateway?.stop()
  for (const pid of marked()) kill(pid)
})
afterAll(() => mint.close())

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const MARK = `OF=${process.pid}-${Date.now()}`

/** Every process that carries our mark, whoever its parent is and whatever group it is in; those of one program. */
function marked(program = ''): readonly number[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      const isOurs = /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(MARK)
      const isOf = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(program)
      return isOurs && isOf && !readFileSync(`/proc/${name}/stat`, 'utf8').includes(') Z ') ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

const [, mark = ''] = MARK.split('=')
const stdio = (...command: string[]) => ({ command: [process.execPath, ...command], environment: { OF: mark } })

async function start(settings = {}): Promise<GatewayProcess> {
  const rule = '{ effect: write, allow: [{ scopes: [tools:write] }] }'
  gateway = await startGatewayProcess({
    mint,
    // The second answers nothing that is MCP, forks a child that stays, and stays itself after SIGTERM.
    upstreams: { small: { ...stdio(SERVER), processes: 2 }, hostile: stdio(HOSTILE, 'forks') },
    tools: { small: `  echo: ${rule}\n  wait: ${rule}`, hostile: `  echo: ${rule}` },
    upstreamYaml: '    timeoutMs: 5000\n    era: legacy\n',
    settings,
  })
  const answer = await gateway.call('small__echo', { text: 'hello' })
  expect(answer.text).toContain('hello')
  await eventually(() => marked(HOSTILE).length > 0, 20)
  return gateway
}

test('a gateway that is told to stop lets calls end, and leaves no process behind', async () => {
  const { child, exited, call } = await start({ 'drain-seconds': '1' })
  const waiting = call('small__wait').catch((error: unknown) => error)
  await new Promise(resolve => setTimeout(resolve, 200))
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  await waiting
  expect(marked()).toEqual([])
})

test('of a gateway that dies at once, who listens to his stdin ends too', async () => {
  const { child, exited } = await start()
  expect(marked(SERVER)).not.toEqual([])
  child.kill('SIGKILL')
  await exited
  // Those that do not listen stay: nobody is left to end them.
  await eventually(() => marked(SERVER).length === 0, 50)
})
