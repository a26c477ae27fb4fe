import { beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Principal } from '../../src/core/model.ts'
import type { LoadedPolicies } from '../../src/policy/index.ts'
import { call, load, principal, tool, toolsFile } from './folder.ts'

const TOOLS = toolsFile(`create_issue:
  effect: write
  allow:
    - scopes: [issues:write]
      claims: { org: { in: [acme, globex] } }
      when:
        - { argument: /repo, like: "acme/*" }
        - { argument: /tenant, equalsClaim: org }
        - { cel: "size(args.labels) <= 5" }
    - scopes: [issues:write, issues:bot]
      claims: { bot: { equals: true } }
  audit: { keep: [/repo] }
several:
  effect: destructive
  discoverable: true
  allow:
    - scopes: [d, c, b]
    - scopes: [a, b]
    - scopes: [e, f]
    - scopes: [owner]
      claims: { owner: { equals: true } }
secret:
  effect: read
  allow:
    - scopes: [x]
      when: [{ argument: /id, equals: "\${SECRET}" }]
get_*:
  effect: read
  allow: [{ scopes: [] }]
closed:
  effect: read
`)

let loaded: LoadedPolicies
beforeAll(async () => {
  loaded = await load({ 'tools/github.yaml': TOOLS }, { environment: { SECRET: 'cAnary' } })
})

const ann = principal({ scopes: ['issues:write'], claims: { org: 'acme' } })
const good = { repo: 'acme/web', tenant: 'acme', labels: [] }

function refusal(caller: Principal, name: string, args: JsonObject = {}): Refusal {
  try {
    loaded.policy.grant(caller, tool(name), call(`github__${name}`, args))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('granted')
}

test('a grant names the rule, the effect and the revision that decided', () => {
  const made = call('github__create_issue', good)
  const approved = tool('create_issue')
  const grant = loaded.policy.grant(ann, approved, made)
  expect(grant).toMatchObject({
    effect: 'write',
    rule: 'tools/github.yaml#/tools/create_issue/allow/0',
    revision: loaded.configuration.revision,
  })
  expect([grant.principal, grant.item, grant.call]).toEqual([ann, approved, made])
  expect(grant.policy).toBe(loaded.configuration.upstreams.get('github')?.tools[0])
})

describe('CATALOG_UNKNOWN_TOOL, with the name as the caller said it', () => {
  test.each([
    ['no entry names the tool', ann, 'drop_everything'],
    ['there is no rule', ann, 'closed'],
    ['no rule has these claims', principal({ scopes: ['issues:write'], claims: { org: 'initech' } }), 'create_issue'],
    ['the claim is missing, and so is the scope', principal(), 'create_issue'],
    ['the claim is of another type', principal({ scopes: ['issues:write'], claims: { org: ['acme'] } }), 'create_issue'],
  ])('%s', (_why, caller, name) => {
    const error = refusal(caller, name, good)
    expect(error.code).toBe('CATALOG_UNKNOWN_TOOL')
    expect(error.open).toEqual({ name: `github__${name}` })
  })

  test('an upstream that policy does not know has no tools', () => {
    expect(() => loaded.policy.grant(ann, tool('get_x', 'other'), call('other__get_x'))).toThrow('CATALOG_UNKNOWN_TOOL')
  })
})

describe('AUTH_SCOPE_INSUFFICIENT, with all scopes of one rule, sorted', () => {
  test.each([
    ['the fewest missing', ['b'], {}, ['a', 'b']],
    ['the fewest missing, though another rule is shorter', ['c', 'd'], {}, ['b', 'c', 'd']],
    ['then the fewest in all', ['a', 'c', 'd'], {}, ['a', 'b']],
    ['then the first', [], {}, ['a', 'b']],
    ['only of rules whose claims hold', [], { owner: true }, ['owner']],
  ])('%s', (_why, scopes, claims, expected) => {
    const error = refusal(principal({ scopes, claims }), 'several')
    expect(error.code).toBe('AUTH_SCOPE_INSUFFICIENT')
    expect(error.open).toEqual({ scopes: expected })
    expect(error.detail.rule).toMatch(/^tools\/github\.yaml#\/tools\/several\/allow\/\d$/)
  })

  test('A-76: a scope that only resembles the right one is not it', () => {
    for (const scope of ['issues:write-not', 'xissues:write', 'issues:write\u00a0', 'ISSUES:WRITE', 'issues:write issues:bot']) {
      const error = refusal(principal({ scopes: [scope], claims: { org: 'acme' } }), 'create_issue', good)
      expect([error.code, error.open.scopes]).toEqual(['AUTH_SCOPE_INSUFFICIENT', ['issues:write']])
    }
  })

  test('scope stands before arguments: the challenge is the same whatever the call says, and tells nothing of `when`', () => {
    const reader = principal({ claims: { org: 'acme' } })
    expect(refusal(reader, 'create_issue', { repo: 'other/web' }).open).toEqual(refusal(reader, 'create_issue', good).open)
  })
})

describe('POLICY_REFUSED, without a challenge', () => {
  test.each<[string, JsonObject, string, string]>([
    ['another repository', { ...good, repo: 'evil/cAnary' }, 'Refused by policy: /repo must be like "acme/*".', '0'],
    ['an argument of another type', { ...good, repo: ['acme/web'] }, 'Refused by policy: /repo must be like "acme/*".', '0'],
    ['a missing argument', { tenant: 'acme', labels: [] }, 'Refused by policy: /repo is required, and must be like "acme/*".', '0'],
    ["another tenant's", { ...good, tenant: 'cAnary' }, 'Refused by policy: /tenant must equal the claim org of your token.', '1'],
    [
      'an expression that is not true',
      { ...good, labels: [1, 2, 3, 4, 5, 6] },
      'Refused by policy: a condition on /labels does not hold.',
      '2',
    ],
    ['an expression that throws', { ...good, labels: 5 }, 'Refused by policy: a condition on /labels does not hold.', '2'],
  ])('%s', (_why, args, text, index) => {
    const error = refusal(ann, 'create_issue', args)
    expect(error.code).toBe('POLICY_REFUSED')
    expect(error.open).toEqual({ text, notProcessed: true })
    expect(error.detail).toEqual({
      rule: 'tools/github.yaml#/tools/create_issue/allow/0',
      condition: `tools/github.yaml#/tools/create_issue/allow/0/when/${index}`,
    })
    expect(JSON.stringify([error.open, error.detail])).not.toContain('cAnary')
  })

  test('A-76: a token that has the scope is not asked for more, though another rule would take the call', () => {
    const bot = principal({ scopes: ['issues:write'], claims: { org: 'acme', bot: true } })
    expect(refusal(bot, 'create_issue', {}).code).toBe('POLICY_REFUSED')
  })

  test('an operand that a variable put in is not told', () => {
    const error = refusal(principal({ scopes: ['x'] }), 'secret', { id: 'wrong' })
    expect(error.open.text).toBe('Refused by policy: /id is not allowed.')
  })
})

test('any one rule suffices', () => {
  const bot = principal({ scopes: ['issues:write', 'issues:bot'], claims: { org: 'acme', bot: true } })
  expect(loaded.policy.grant(bot, tool('create_issue'), call('x', { repo: 'any' })).rule).toBe(
    'tools/github.yaml#/tools/create_issue/allow/1',
  )
})

test('an empty list of scopes is for every caller', () => {
  expect(loaded.policy.grant(principal(), tool('get_me'), call('github__get_me')).rule).toBe('tools/github.yaml#/tools/get_*/allow/0')
})

test.each([
  ['claims and scope', ann, ['create_issue', 'several', 'get_me']],
  ['claims, not scope', principal({ claims: { org: 'acme' } }), ['several', 'get_me']],
  ['scope, not claims', principal({ scopes: ['issues:write', 'x'] }), ['several', 'secret', 'get_me']],
])('a list shows what this token may use, and discoverable tools that only lack scope: %s', (_what, caller, expected) => {
  const tools = ['create_issue', 'several', 'secret', 'get_me', 'closed', 'unheard_of'].map(name => tool(name))
  expect(loaded.policy.visible(caller, tools).map(each => each.upstreamName)).toEqual(expected)
})
