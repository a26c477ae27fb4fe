import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout, ROOT } from '../docs/checkout.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
/** The commands of the README that pack, install and serve. */
const [pack = '', install = '', serve = ''] = (/^```sh\n(npm pack\n[\s\S]*?)^```$/m.exec(readme)?.[1] ?? '').trim().split('\n')

let prefix: string
let checkout: string
let files: readonly string[]

function run(text: string, cwd: string) {
  const environment = { ...process.env, npm_config_prefix: prefix, npm_config_prefer_offline: 'true', npm_config_ignore_scripts: 'false' }
  const PATH = `${join(prefix, 'bin')}:${process.env.PATH}`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', text], { cwd, env: { ...environment, PATH }, encoding: 'utf8' })
  return { stdout, stderr, status }
}

beforeAll(() => {
  prefix = mkdtempSync(join(tmpdir(), 'wicketgate-installed-'))
  checkout = copyCheckout()
  const packed = run(`${pack} --json`, checkout)
  expect(packed).toMatchObject({ status: 0 })
  files = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))).flatMap((each: { files: { path: string }[] }) =>
    each.files.map(({ path }) => path),
  )
  expect(run(install, checkout)).toMatchObject({ status: 0 })
}, 180_000)
afterAll(() => {
  rmSync(prefix, { recursive: true })
  rmSync(checkout, { recursive: true })
})

test('the package holds dist/, package.json, README and licence, and nothing else', () => {
  expect(files.filter(path => !path.startsWith('dist/')).toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(files).toEqual(expect.arrayContaining(['dist/bin.cjs', 'dist/main.js']))
  expect(files.filter(path => !/\.(?:c?js|js\.map)$/.test(path) && path.startsWith('dist/'))).toEqual([])
})

test('it brings neither a Node.js nor anything of the workspace', () => {
  const tree = JSON.parse(run('npm ls --global --all --json', prefix).stdout)
  const names: string[] = []
  const walk = ({ dependencies = {} }: { dependencies?: Record<string, object> }): void => {
    for (const [name, below] of Object.entries(dependencies)) {
      names.push(name)
      walk(below)
    }
  }
  walk(tree)
  expect(names).toContain('fastify')
  expect(names.filter(name => /^node-|^@wicketgate\/|vitest|typescript/.test(name))).toEqual([])
})

test('the installed program knows its version', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(run('wicketgate --version', prefix)).toEqual({ stdout: `${version}\n`, stderr: '', status: 0 })
  expect(run('npx --no-install wicketgate --version', join(prefix, 'lib'))).toMatchObject({ stdout: `${version}\n`, status: 0 })
})

test('it checks a policy folder, and starts and refuses like the one in the checkout', () => {
  expect(run(`wicketgate check --policies ${join(ROOT, 'policies/examples/sidecar')}`, prefix)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('no faults'),
  })
  expect(run(serve, prefix)).toMatchObject({ status: 2, stderr: expect.stringContaining('gateway.yaml:1:1') })
})
