import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadPolicies } from '../../src/policy/index.ts'
import { DEFAULTS } from '../../src/settings.ts'
import { ROOT } from './checkout.ts'

/** Any part of a YAML document; what is not there is an empty one. */
type Node = { readonly [key: string]: Node } & Iterable<Node>
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const documents = (path: string): readonly Node[] => parseAllDocuments(text(path), { strict: true }).map(document => document.toJS())
const variables = new Set(Object.keys(DEFAULTS).map(name => `WICKETGATE_${name.toUpperCase().replaceAll('-', '_')}`))
const unknownVariables = (path: string): readonly string[] =>
  (text(path).match(/WICKETGATE_[A-Z_]+/g) ?? []).filter(name => !variables.has(name))

const FILES = [
  'docker-compose.yml',
  ...readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.ya?ml$|Dockerfile/.test(name))
    .map(name => `deploy/${name}`),
]
const MANIFESTS = ['deploy/kubernetes/gateway.yaml', 'deploy/kubernetes/sidecar.yaml'] as const

test.each(FILES)('%s sets only what the gateway reads', path => {
  expect(unknownVariables(path)).toEqual([])
})

describe('the image', () => {
  const lines = text('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const last = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))

  test('runs as a user that is not root, by number', () => {
    expect(last.find(line => line.startsWith('USER '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/)
  })

  test('starts what the package starts, on a Node.js that may run it', () => {
    const { bin, engines } = JSON.parse(text('package.json'))
    expect(last).toContain(`ENTRYPOINT ["node", "/app/${bin.wicketgate}"]`)
    expect(lines.filter(line => line.startsWith('FROM ')).every(line => /^FROM node:24-slim\b/.test(line))).toBe(true)
    expect(engines.node).toMatch(/\^24/)
  })

  test('copies only what its build context lets in', () => {
    const admitted = text('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'))
      .map(line => line.slice(1))
    const copied = lines.flatMap(line => (/^COPY (?!--from)(.*) \S+$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean))
    expect(copied.filter(path => !admitted.includes(path))).toEqual([])
    expect([...new Set(copied)].toSorted()).toEqual(admitted.toSorted())
  })

  test('asks the operator’s listener whether it lives', () => {
    expect(last.join('\n')).toContain(`http://127.0.0.1:${DEFAULTS['admin-port']}/healthz`)
  })
})

describe('docker-compose.yml', () => {
  const compose = documents('docker-compose.yml')[0] as Node
  const { gateway, redis } = compose.services as Node

  test('keeps the gateway from writing, and from gaining rights', () => {
    expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  test('publishes nothing beyond this machine', () => {
    expect(gateway?.ports).toEqual([
      `127.0.0.1:${DEFAULTS.port}:${DEFAULTS.port}`,
      `127.0.0.1:${DEFAULTS['admin-port']}:${DEFAULTS['admin-port']}`,
    ])
    expect(redis?.ports).toBeUndefined()
    expect(compose.networks).toMatchObject({ store: { internal: true } })
  })

  test('gives Redis the only policy under which records are kept', () => {
    expect(redis?.command).toEqual(expect.arrayContaining(['--maxmemory-policy', 'noeviction', '--appendonly', 'yes']))
    expect(gateway?.environment).toMatchObject({
      WICKETGATE_STORE: 'redis://redis:6379',
      WICKETGATE_SECRET_FILE: '/run/secrets/wicketgate',
    })
  })

  test('waits longer than the gateway drains', () => {
    expect(Number.parseInt(String(gateway?.stop_grace_period), 10)).toBeGreaterThan(Number(DEFAULTS['drain-seconds']))
  })
})

describe.each(MANIFESTS)('%s', path => {
  const objects = documents(path)
  const ofKind = (kind: string): Node => objects.find(object => String(object.kind) === kind) as Node
  const pod = ofKind('Deployment').spec?.template?.spec as Node
  const gateway = [...(pod.containers as Node)].find(container => String(container.name) === 'gateway') as Node
  const sources = [...((([...(pod.volumes as Node)][0] as Node).projected as Node).sources as Node)].map(source => source.configMap as Node)

  test('has policies that load as the pod will see them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wicketgate-deploy-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const data = ofKind('ConfigMap').data as unknown as Record<string, string>
    for (const { key, path: place } of (sources[0] as Node).items as unknown as { key: string; path: string }[]) {
      mkdirSync(dirname(join(folder, place)), { recursive: true })
      writeFileSync(join(folder, place), data[key] ?? '')
    }
    const { configuration } = await loadPolicies(folder, { environment: {}, listenerIsLoopback: false, allowAnonymous: false })
    const pins = ((sources[1] as Node).items as unknown as { path: string }[]).map(item => item.path)
    expect(pins).toEqual([...configuration.upstreams.keys()].map(alias => `pins/${alias}.lock.json`))
  })

  test('shares limits among as many gateways as it runs', () => {
    const policies = parse((ofKind('ConfigMap').data as unknown as Record<string, string>)['gateway.yaml'] ?? '')
    expect(policies.limits?.nodes ?? 1).toBe(Number(ofKind('Deployment').spec?.replicas ?? 1))
  })

  test('runs without rights it does not need', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(gateway.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('asks and publishes the right ports', () => {
    expect(gateway.ports).toEqual([
      { name: 'mcp', containerPort: Number(DEFAULTS.port) },
      { name: 'operator', containerPort: Number(DEFAULTS['admin-port']) },
    ])
    expect(gateway).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz', port: 'operator' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'operator' } },
    })
    expect(ofKind('Service').spec?.ports).toEqual([{ name: 'mcp', port: 80, targetPort: 'mcp' }])
    const labels = ofKind('Deployment').spec?.template?.metadata?.labels
    expect(ofKind('Service').spec?.selector).toEqual(labels)
  })

  test('leaves time for the pause and the drain', () => {
    const pauseSeconds = Number(/, *"?setTimeout\(\(\) => \{\}, (\d+)\)/.exec(text(path))?.[1]) / 1000
    expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThan(pauseSeconds + Number(DEFAULTS['drain-seconds']))
  })
})

test('the collector’s pipelines use what it defines, and all of it', () => {
  const collector = parse(text('deploy/otel/collector.yaml'))
  for (const part of ['receivers', 'processors', 'exporters']) {
    const used = Object.values(collector.service.pipelines).flatMap(pipeline => (pipeline as Record<string, string[]>)[part] ?? [])
    expect(Object.keys(collector[part]).toSorted()).toEqual([...new Set(used)].toSorted())
  }
})
