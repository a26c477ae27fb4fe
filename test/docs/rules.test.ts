import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ERRORS } from '../../src/core/errors.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'
import { ROOT } from './checkout.ts'

const SEND = { name: 'send', inputSchema: { type: 'object' } }
const yaml = (name: string) => parse(readFileSync(join(ROOT, 'deploy/otel', name), 'utf8'))
const rules: readonly { alert: string; expr: string }[] = yaml('rules.yaml').groups[0].rules

let upstream: UpstreamStub
let gateway: TestGateway
let untroubled: string
let scraped: string

/** A gateway in trouble of every kind: no store, bad tokens, an effect nobody knows of, a tool that changed, policies that do not load. */
beforeAll(async () => {
  upstream = await startUpstreamStub([SEND], (_seen, response) => void response.destroy())
  const key = '    effect: write\n    allow: [{ scopes: [tools:write] }]\n'
  gateway = await startGateway({
    upstreams: { acme: upstream.url },
    tools: { acme: `  send:\n${key}  limited:\n${key}    limit: { calls: 1, per: 1m }\n` },
    settings: { store: 'redis://127.0.0.1:9', secret: 'ab'.repeat(32), 'admin-hosts': 'gateway' },
  })
  untroubled = await scrape('gateway:9090')
  await gateway.call('acme__send', {}, { token: 'bad' })
  await gateway.call('acme__send')
  await gateway.call('acme__send', {}, { headers: { 'idempotency-key': 'k' } })
  writeFileSync(join(gateway.folder, 'gateway.yaml'), 'version: 2\n')
  await gateway.gateway.reload().catch(() => {})
  scraped = await scrape('gateway:9090')
})
afterAll(async () => {
  rmSync(join(gateway.folder, 'gateway.yaml'))
  await gateway.close()
  await upstream.close()
})

/** As Prometheus asks: under the name it was given. */
function scrape(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${gateway.gateway.adminAddress}/metrics`, { headers: { host } }, response => {
      let body = ''
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve(body))
    })
      .on('error', reject)
      .end()
  })
}

/** Metric → its labels, as they were emitted. */
function emitted(): ReadonlyMap<string, ReadonlySet<string>> {
  const metrics = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of scraped.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) known.add(label)
    metrics.set(name, known)
  }
  return metrics
}

/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ['job', 'instance']

test.each(rules.map(rule => [rule.alert, rule.expr]))('%s asks for what the gateway emits', (_alert, expression) => {
  const metrics = emitted()
  const names =
    expression
      .replace(/\{[^}]*\}/g, '')
      .replace(/\bby \([^)]*\)/g, '')
      .match(/\b(?:wicketgate|mcp|up)(?:_[a-z_]+)?\b/g) ?? []
  expect(names).toHaveLength(1)
  const [name = ''] = names
  const labels = [...expression.matchAll(/([a-z_]+)=~?"/g), ...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, found = '']) =>
    found.split(/, */),
  )
  const known = new Set([...OF_PROMETHEUS, ...(metrics.get(name) ?? [])])
  if (name !== 'up') expect([...metrics.keys()]).toContain(name)
  expect(labels.filter(label => !known.has(label))).toEqual([])
})

const increases = rules.flatMap(({ alert, expr }) => [...expr.matchAll(/increase\((\w+)(?:\{(.*?)\})?/g)].map(found => [alert, ...found]))

test('a rule that waits for an increase sees the first: what it counts begins at 0', () => {
  expect(increases.length).toBeGreaterThan(2)
  for (const [alert, , name, label = 'wicketgate_upstream="acme"'] of increases) {
    const series = untroubled.split('\n').filter(line => line.startsWith(`${name}{`) && line.includes(label))
    expect(series, alert).not.toEqual([])
    expect(series.filter(line => !line.endsWith(' 0'))).toEqual([])
  }
})

test('the outcomes that rules name are codes', () => {
  const outcomes = rules.flatMap(({ expr }) => [...expr.matchAll(/wicketgate_outcome(=~?)"([^"]+)"/g)])
  expect(outcomes.length).toBeGreaterThan(0)
  for (const [, , pattern = ''] of outcomes) expect(Object.keys(ERRORS).some(code => new RegExp(`^(?:${pattern})$`).test(code))).toBe(true)
})

test('the states that rules name are those a descriptor can be in', () => {
  const named = rules.flatMap(({ expr }) => [...expr.matchAll(/wicketgate_state="([^"]+)"/g)].map(([, state = '']) => state))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(state => !scraped.includes(`wicketgate_state="${state}"`))).toEqual([])
})

test('Prometheus may scrape by the name it was given, and by no other', async () => {
  const [target] = yaml('prometheus.yaml').scrape_configs[0].static_configs[0].targets
  expect(await scrape(target)).toContain('wicketgate_build')
  expect(await scrape('somebody-else:9090')).toContain('not served here')
})
