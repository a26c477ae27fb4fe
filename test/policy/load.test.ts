import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, GATEWAY, itemsFile, load, toolsFile, withFolder } from './folder.ts'

const credential = (text: string) => `${GATEWAY}    credential: { bearer: "${text}" }\n`

test('a key that may sign lock files is named by its thumbprint, unless it is given a name', async () => {
  // RFC 8037 appendix A.2 and A.3.
  const key = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----\n`
  const signer = (name: string) => `      -${name}\n        publicKey: |\n          ${publicKey.trim().replaceAll('\n', '\n          ')}\n`
  const folder = (name: string) => ({ 'gateway.yaml': `${GATEWAY}pins:\n    signers:\n${signer(name)}` })
  expect((await load(folder(''))).configuration.pins.signers).toEqual([{ keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', publicKey }])
  expect((await load(folder(' keyId: ann'))).configuration.pins.signers).toEqual([{ keyId: 'ann', publicKey }])
})

test('everything that may be left out is filled in', async () => {
  const tools = toolsFile(
    'list:\n  effect: read\n  allow:\n    - scopes: [b, a]\nset:\n  effect: write\n  allow: [{ scopes: [w] }]\n  limit: { calls: 30, per: 1m }\n  idempotency: { key: header }\n',
  )
  const { configuration, files } = await load({ 'tools/github.yaml': tools })
  expect(files).toEqual(['gateway.yaml', 'tools/github.yaml'])
  expect(configuration.endpoints).toEqual([
    {
      path: '/mcp',
      resource: 'https://gateway.example.com/mcp',
      upstreams: ['github'],
      names: 'prefixed',
      scopes: ['a', 'b'],
      anonymous: undefined,
      minProtocolVersion: '2025-03-26',
    },
  ])
  expect(configuration.http).toEqual({ hosts: ['gateway.example.com', 'gateway.example.com:443'], origins: [], maxBodyBytes: 1_048_576 })
  expect(configuration.pins).toEqual({ onFirstUse: 'pending', pollMs: 600_000, maxStaleMs: 86_400_000, signers: [] })
  expect(configuration.limits).toEqual({
    refusal: 'tool',
    failedAuthPerMinute: 60,
    listsPerMinute: 120,
    requestsPerMinute: 600,
    subscriptions: 16,
    nodes: 1,
  })
  expect(configuration.issuers).toEqual([
    {
      issuer: 'https://login.example.com',
      jwksUrl: undefined,
      algorithms: ['ES256', 'RS256'],
      audience: undefined,
      tenantClaim: 'org',
      clockToleranceSeconds: 30,
      caFile: undefined,
      allowPrivateAddress: false,
    },
  ])
  expect(configuration.upstreams.get('github')).toMatchObject({
    alias: 'github',
    url: 'https://mcp.github.internal/mcp',
    transport: { kind: 'auto' },
    era: 'auto',
    sessions: 'perPrincipal',
    credentialHeaders: [],
    forwardHeaders: [],
    timeoutMs: 30_000,
    streamIdleMs: 60_000,
    maxConnections: 64,
    maxResponseBytes: 16_777_216,
    dropPointers: [],
    xMcpHeaderAllowNumber: false,
    questions: { form: true, url: true, sampling: false, roots: false, urlHosts: ['mcp.github.internal'] },
    linkSchemes: undefined,
    linkHosts: undefined,
    allowTasks: true,
    prompts: [],
    resources: [],
    tools: [
      {
        key: 'list',
        address: 'tools/github.yaml#/tools/list',
        effect: 'read',
        discoverable: false,
        limit: undefined,
        idempotency: undefined,
      },
      {
        key: 'set',
        limit: { calls: 30, perMs: 60_000, by: 'principal', burst: 30, cost: 1 },
        idempotency: { key: 'header', required: false, ttlMs: 86_400_000, windowMs: 600_000 },
        result: { maxBytes: 16_777_216, over: 'withhold', schema: 'block', characters: 'flag' },
        audit: { keep: [] },
      },
    ],
  })
})

test('what is said of prompts and resources, and what is not', async () => {
  const items = itemsFile({
    prompts: 'sum_*:\n  allow: [{ scopes: [p] }]\n',
    resources:
      '"file:///docs/*":\n  unlisted: true\n  discoverable: true\n  allow: [{ scopes: [r, q] }]\n  limit: { calls: 1, per: 1s, by: tool }\n  result: { maxBytes: 9, over: truncate, characters: escape }\n  audit: { keep: [/uri] }\n',
  })
  const { configuration } = await load({ 'tools/github.yaml': items })
  const plain = { effect: 'read', unlisted: false, discoverable: false, limit: undefined, idempotency: undefined, audit: { keep: [] } }
  expect(configuration.upstreams.get('github')).toMatchObject({ tools: [] })
  expect(configuration.upstreams.get('github')?.prompts).toEqual([
    {
      ...plain,
      key: 'sum_*',
      address: 'tools/github.yaml#/prompts/sum_*',
      result: { maxBytes: 16_777_216, over: 'withhold', schema: 'block', characters: 'flag' },
    },
  ])
  expect(configuration.upstreams.get('github')?.resources).toEqual([
    {
      ...plain,
      key: 'file:///docs/*',
      address: 'tools/github.yaml#/resources/file:~1~1~1docs~1*',
      unlisted: true,
      discoverable: true,
      limit: { calls: 1, perMs: 1_000, by: 'tool', burst: 1, cost: 1 },
      result: { maxBytes: 9, over: 'truncate', schema: 'block', characters: 'escape' },
      audit: { keep: ['/uri'] },
    },
  ])
  expect(configuration.endpoints[0]?.scopes).toEqual(['p', 'q', 'r'])
})

test('what is said of questions, links, tasks and requests', async () => {
  const gateway = `${GATEWAY}    questions: { form: false, url: false, sampling: true, roots: true, urlHosts: [pages.example.com, "pay.example.com:443", mcp.github.internal, "[::1]:8443"] }
    links: { schemes: [https, x-docs], hosts: ["docs.example.com:443", mcp.github.internal] }
    tasks: false
limits: { requestsPerMinute: 7, subscriptions: 3 }
`
  const { configuration } = await load({ 'gateway.yaml': gateway })
  expect(configuration.upstreams.get('github')).toMatchObject({
    // In the form a URL's host is compared in, each once.
    questions: {
      form: false,
      url: false,
      sampling: true,
      roots: true,
      urlHosts: ['mcp.github.internal', 'pages.example.com', 'pay.example.com', '[::1]:8443'],
    },
    linkSchemes: ['https', 'x-docs'],
    linkHosts: ['mcp.github.internal', 'docs.example.com'],
    allowTasks: false,
  })
  expect(configuration.limits).toMatchObject({ requestsPerMinute: 7, subscriptions: 3 })
})

test.each([
  ['http://127.0.0.1:3000/mcp', '127.0.0.1:3000'],
  ['https://MCP.example.com:443/mcp', 'mcp.example.com'],
  ['https://mcp.example.com:8443/mcp?x=1', 'mcp.example.com:8443'],
])('an upstream at %s may send people to %s', async (url, host) => {
  const { configuration } = await load({ 'gateway.yaml': GATEWAY.replace('https://mcp.github.internal/mcp', url) })
  expect(configuration.upstreams.get('github')?.questions.urlHosts).toEqual([host])
})

test('the endpoint at / has the public URL itself as its resource', async () => {
  const { configuration } = await load({ 'gateway.yaml': GATEWAY.replace('path: /mcp', 'path: /') })
  expect(configuration.endpoints[0]?.resource).toBe('https://gateway.example.com')
})

test('the revision follows the files that decide, not the tests', async () => {
  const tests = 'version: 1\nas: { ann: {} }\ncases:\n  - { as: ann, list: [] }\n'
  const [plain, tested, changed] = await Promise.all([
    load({}),
    load({ 'tests/all.yaml': tests }),
    load({ 'gateway.yaml': `${GATEWAY}# a comment\n` }),
  ])
  expect(plain.configuration.revision).toMatch(/^[0-9a-f]{16}$/)
  expect(tested.configuration.revision).toBe(plain.configuration.revision)
  expect(changed.configuration.revision).not.toBe(plain.configuration.revision)
})

describe('variables', () => {
  const bearer = async (text: string, environment: Record<string, string> = {}) =>
    (await load({ 'gateway.yaml': credential(text) }, { environment })).configuration.upstreams.get('github')?.credentialHeaders[0]?.[1]

  test.each([
    [`\${TOKEN}`, 's3cret', 'Bearer s3cret'],
    [`a-\${TOKEN}-b`, 's3cret', 'Bearer a-s3cret-b'],
    [`\${TOKEN:-none}`, '', 'Bearer none'],
    [`\${TOKEN:-none}`, 's3cret', 'Bearer s3cret'],
    ['pa$$word', '', 'Bearer pa$word'],
    [`$\${TOKEN}`, 's3cret', `Bearer \${TOKEN}`],
  ])('%s with TOKEN=%s is %s', async (text, TOKEN, expected) => {
    expect(await bearer(text, { TOKEN })).toBe(expected)
  })

  test('what is put in is not read as YAML or as a variable again', async () => {
    expect(await bearer(`\${TOKEN}`, { TOKEN: `\${HOME}", header: {` })).toBe(`Bearer \${HOME}", header: {`)
  })

  test('a secret file is read without its last line break', async () => {
    await withFolder({}, async directory => {
      const path = join(directory, 'token')
      await writeFile(path, 'from-a-file\n')
      expect(await bearer(`\${file:${path}}`)).toBe('Bearer from-a-file')
    })
  })

  test('a number may come from a variable', async () => {
    const text = `${GATEWAY}    timeoutMs: \${TIMEOUT}\n`
    const { configuration } = await load({ 'gateway.yaml': text }, { environment: { TIMEOUT: '1234' } })
    expect(configuration.upstreams.get('github')?.timeoutMs).toBe(1234)
  })

  test('credentials can be left unread, and nothing else', async () => {
    const { configuration } = await load({ 'gateway.yaml': credential(`\${TOKEN}`) }, { credentials: 'skip' })
    expect(configuration.upstreams.get('github')?.credentialHeaders).toEqual([['authorization', `Bearer \${TOKEN}`]])
    const faults = await faultsOf({ 'gateway.yaml': GATEWAY.replace('https://mcp', `\${SCHEME}://mcp`) }, { credentials: 'skip' })
    expect(faults.map(fault => fault.message)).toEqual(['the variable SCHEME is not set and has no default'])
  })
})

test('what was put in by a variable is in no message, wherever it was put', async () => {
  const SECRET = 'cAnary-5ecret'
  const gateway = `version: 1
publicUrl: http://\${S}.example.com/
endpoints:
  - path: /\${S}!
    upstreams: ["\${S}", github]
    names: "\${S}"
    scopes: ["\${S} x"]
    unknown: "\${S}"
issuers:
  - issuer: ftp://\${S}
    algorithms: ["\${S}"]
upstreams:
  github:
    url: https://\${S}:x@h/
    credential: { bearer: "\${S}\\n", header: { name: "mcp-\${S}", value: "\${S}\\n" } }
    timeoutMs: \${S}
    forwardHeaders: ["mcp-\${S}"]
    dropPointers: ["\${S}"]
    questions: { urlHosts: ["\${S}!"] }
    links: { schemes: ["\${S}:"] }
`
  const tools = `version: 1
upstream: "\${S}"
tools:
  get:
    effect: "\${S}"
    approval: "\${S}"
    limit: { calls: "\${S}", per: "\${S}" }
    idempotency: { key: "\${S}" }
    allow:
      - scopes: ["\${S} x"]
        when:
          - { argument: "\${S}", like: "\${S}" }
          - { cel: "\${S}.x == foo(\${S})" }
resources:
  "file:///*":
    allow: [{ scopes: [], when: [{ argument: "/\${S}", like: x }, { cel: 'args.\${S} == 1' }] }]
    audit: { keep: ["/\${S}"] }
`
  const tests = `version: 1
as: { ann: {} }
cases:
  - { as: "\${S}", call: "\${S}", expect: "\${S}" }
`
  const faults = await faultsOf(
    { 'gateway.yaml': gateway, 'tools/github.yaml': tools, 'tests/all.yaml': tests },
    { environment: { S: SECRET } },
  )
  expect(faults.length).toBeGreaterThan(15)
  expect(JSON.stringify(faults).toLowerCase()).not.toContain('canary')
})

test('anonymous endpoints need a loopback listener or the override', async () => {
  const files = { 'gateway.yaml': GATEWAY.replace('[github]\n', '[github]\n    anonymous: { scopes: [demo] }\n') }
  expect((await faultsOf(files)).map(fault => fault.code)).toEqual(['anonymous'])
  for (const options of [{ listenerIsLoopback: true }, { allowAnonymous: true }]) {
    const { configuration } = await load(files, options)
    expect(configuration.endpoints[0]?.anonymous).toEqual({ scopes: ['demo'] })
  }
})

test('a missing folder, a missing gateway.yaml and a file that would be passed over are faults', async () => {
  expect((await faultsOf({ 'tools/github.yml': '', 'gateway.yaml': GATEWAY })).map(fault => fault.message)).toEqual([
    'a policy file is named *.yaml',
  ])
  await withFolder({ 'tools/github.yaml': toolsFile('get: { effect: read }\n') }, async directory => {
    const { loadPolicies } = await import('../../src/policy/index.ts')
    await expect(loadPolicies(directory, { environment: {}, listenerIsLoopback: false, allowAnonymous: false })).rejects.toThrow(
      'gateway.yaml:1:1  the file does not exist',
    )
  })
})

test('nesting without end is a fault, not a crash', async () => {
  const faults = await faultsOf({ 'gateway.yaml': `version: 1\nendpoints: ${'['.repeat(100_000)}` })
  expect(faults.length).toBeGreaterThan(0)
})

test('a syntax error is the only fault of its file, and makes none in another', async () => {
  const gateway = GATEWAY.replace('    upstreams: [github]', '   upstreams: [github]').replace('url: https', `url: \${NOPE}https`)
  const tools = toolsFile(`get: { effect: red, allow: [{ scopes: [] } }\nset: { efect: \${NOPE} }\nset: {}\n`)
  const faults = await faultsOf({ 'gateway.yaml': gateway, 'tools/github.yaml': tools })
  expect(faults.map(({ file, line, code }) => ({ file, line, code }))).toEqual([
    { file: 'gateway.yaml', line: 5, code: 'yaml' },
    { file: 'tools/github.yaml', line: 4, code: 'yaml' },
  ])
})
