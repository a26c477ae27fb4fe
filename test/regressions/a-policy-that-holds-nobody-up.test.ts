import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { loadPolicies } from '../../src/policy/index.ts'
import { SourceDocument } from '../../src/policy/source-document.ts'
import { watchPolicies } from '../../src/policy/watch.ts'
import { eventually, temporaryFolder } from '../catalog/stub.ts'

const GATEWAY = `version: 1
publicUrl: http://127.0.0.1:3000
endpoints:
  - path: /mcp
    upstreams: [acme]
    anonymous: { scopes: [] }
upstreams:
  acme: { url: 'http://127.0.0.1:9/mcp' }
`
const entry = (name: string) => `  ${name}: { effect: read, allow: [{ scopes: [a], when: [{ cel: 'args.size() < 3' }] }] }\n`

let folder: string
let path: string
beforeEach(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'gateway.yaml'), GATEWAY)
  path = join(folder, 'tools/acme.yaml')
})

const load = () => loadPolicies(folder, { environment: {}, listenerIsLoopback: true, allowAnonymous: true })
const tools = (count: number) => `version: 1\nupstream: acme\ntools:\n${Array.from({ length: count }, (_, at) => entry(`t${at}`)).join('')}`

test('while the rules of a large file are compiled, others have their turns', async () => {
  await writeFile(path, tools(400))
  const turns: number[] = []
  let isLoaded = false
  const loading = load().finally(() => {
    isLoaded = true
  })
  await new Promise<void>(resolve => {
    let before = process.cpuUsage()
    const turn = () => {
      turns.push(process.cpuUsage(before).user)
      before = process.cpuUsage()
      if (isLoaded) resolve()
      else setImmediate(turn)
    }
    turn()
  })
  expect((await loading).book).toBeDefined()
  const whole = turns.reduce((sum, micros) => sum + micros)
  expect(Math.max(...turns)).toBeLessThan(0.8 * whole)
})

test('ten times as many keys take about ten times as long to read, not a hundred times', () => {
  const spent = (count: number) => {
    const text = Array.from({ length: count }, (_, at) => `a${at}: x`).join('\n')
    const before = process.cpuUsage()
    expect(new SourceDocument('gateway.yaml', text, {}).faults).toEqual([])
    return process.cpuUsage(before).user
  }
  const few = Math.max(spent(2_000), spent(2_000))
  expect(spent(20_000)).toBeLessThan(40 * few)
})

test('a policy of the same size and time is another one all the same', async () => {
  await writeFile(path, tools(1))
  await utimes(path, 1, 1)
  let changes = 0
  const onChange = (): void => {
    changes += 1
  }
  const watch = await watchPolicies(folder, { onChange, onPins: () => {} }, 20)
  onTestFinished(() => watch.close())
  await writeFile(path, tools(1).replace('< 3', '< 4'))
  await utimes(path, 1, 1)
  await eventually(() => changes === 1)
})
