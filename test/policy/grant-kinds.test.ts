import { beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ApprovedItem, Call, Grant, ItemKind, Principal } from '../../src/core/model.ts'
import type { LoadedPolicies } from '../../src/policy/index.ts'
import { call, item, itemsFile, load, principal } from './folder.ts'

const ITEMS = itemsFile({
  tools: `send:
  effect: destructive
  allow: [{ scopes: [t], when: [{ argument: /to, equals: ann }] }]
look:
  effect: write
  allow: [{ scopes: [t] }]
`,
  prompts: `review:
  allow: [{ scopes: [p], when: [{ argument: /language, in: [en, de] }, { cel: 'tool.name == "review" && tool.effect == "read"' }] }]
sum_*:
  discoverable: true
  allow: [{ scopes: [p] }]
closed: {}
`,
  resources: `"file:///docs/*":
  allow: [{ scopes: [r] }]
"file:///docs/private/*":
  allow: [{ scopes: [r], claims: { staff: { equals: true } } }]
"file:///docs/private/rota":
  allow: [{ scopes: [r], when: [{ argument: /uri, like: "file:///docs/private/*" }, { cel: 'args.uri == tool.name' }] }]
"db://{table}/{id}":
  allow: [{ scopes: [r], when: [{ cel: '!args.uri.startsWith("db://users/")' }] }]
"db://audit/*": {}
"log://{/path*}":
  allow: [{ scopes: [r] }]
"note://*public*":
  allow: [{ scopes: [r] }]
"mail://{id}":
  allow: [{ scopes: [r] }]
"mail://{+id}": {}
"page://{id}":
  allow: [{ scopes: [r], when: [{ argument: /uri, like: "page://1*" }] }]
"web://open/*":
  unlisted: true
  allow: [{ scopes: [r] }]
"web://open/closed/*":
  allow: [{ scopes: [r] }]
`,
})

let loaded: LoadedPolicies
beforeAll(async () => {
  loaded = await load({ 'tools/github.yaml': ITEMS })
})

const reader = principal({ scopes: ['r', 'p', 't'] })
const staff = principal({ scopes: ['r'], claims: { staff: true } })

function grant(caller: Principal, approved: ApprovedItem, made: Call): Grant | Refusal {
  try {
    return loaded.policy.grant(caller, approved, made)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const outcome = (caller: Principal, approved: ApprovedItem, made: Call): string => {
  const got = grant(caller, approved, made)
  return got instanceof Refusal ? got.code : got.rule.replace('tools/github.yaml#/', '')
}

const read = (caller: Principal, approved: ApprovedItem, uri = approved.upstreamName) =>
  outcome(caller, approved, call(`github+${uri}`, {}, 'resources/read'))

test.each<[ItemKind, Call, string]>([
  ['tool', call('github__none'), 'CATALOG_UNKNOWN_TOOL'],
  ['prompt', call('github__none', {}, 'prompts/get'), 'CATALOG_UNKNOWN_PROMPT'],
  ['resource', call('github+none', {}, 'resources/read'), 'CATALOG_UNKNOWN_RESOURCE'],
  ['resourceTemplate', call('github+none', {}, 'resources/read'), 'CATALOG_UNKNOWN_RESOURCE'],
])('a %s without an entry is unknown, under the name that was asked for', (kind, made, code) => {
  expect(grant(reader, item(kind, 'none'), made)).toMatchObject({ code, open: { name: made.name } })
})

test.each<[ItemKind, string]>([
  ['prompt', 'send'],
  ['resource', 'send'],
  ['resourceTemplate', 'look'],
  ['tool', 'review'],
])('an entry of another map is none: a %s called %s', (kind, name) => {
  expect(outcome(reader, item(kind, name), call(name))).toMatch(/^CATALOG_UNKNOWN_/)
  expect(loaded.policy.visible(reader, [item(kind, name)])).toEqual([])
})

describe('prompts/get', () => {
  const get = (caller: Principal, name: string, args: JsonObject = {}) =>
    outcome(caller, item('prompt', name), call(`github__${name}`, args, 'prompts/get'))

  test.each<[string, Principal, string, JsonObject, string]>([
    ['the rule holds', reader, 'review', { language: 'en' }, 'prompts/review/allow/0'],
    ['the argument is another', reader, 'review', { language: 'fr' }, 'POLICY_REFUSED'],
    ['a glob', reader, 'sum_up', {}, 'prompts/sum_*/allow/0'],
    ['no scope', principal(), 'sum_up', {}, 'AUTH_SCOPE_INSUFFICIENT'],
    ['no rule', reader, 'closed', {}, 'CATALOG_UNKNOWN_PROMPT'],
  ])('%s', (_what, caller, name, args, expected) => {
    expect(get(caller, name, args)).toBe(expected)
  })

  test('is a read', () => {
    expect(grant(reader, item('prompt', 'sum_up'), call('github__sum_up', {}, 'prompts/get'))).toMatchObject({ effect: 'read' })
  })
})

describe('resources/read', () => {
  test.each<[string, Principal, string, string]>([
    ['a glob', reader, 'file:///docs/a', 'resources/file:~1~1~1docs~1*/allow/0'],
    ['`*` is any characters, also /', reader, 'file:///docs/a/b/c', 'resources/file:~1~1~1docs~1*/allow/0'],
    ['the longest literal prefix', staff, 'file:///docs/private/a', 'resources/file:~1~1~1docs~1private~1*/allow/0'],
    ['which closes what the wider one opens', reader, 'file:///docs/private/a', 'CATALOG_UNKNOWN_RESOURCE'],
    ['the exact URI', reader, 'file:///docs/private/rota', 'resources/file:~1~1~1docs~1private~1rota/allow/0'],
    ['no key', reader, 'file:///other', 'CATALOG_UNKNOWN_RESOURCE'],
    ['another spelling of a scheme is another URI', reader, 'FILE:///docs/a', 'CATALOG_UNKNOWN_RESOURCE'],
    ['no scope', principal(), 'file:///docs/a', 'AUTH_SCOPE_INSUFFICIENT'],
  ])('of a listed resource: %s', (_what, caller, uri, expected) => {
    expect(read(caller, item('resource', uri))).toBe(expected)
  })

  test.each<[string, Principal, string, string, string]>([
    ['the template', reader, 'db://{table}/{id}', 'db://orders/7', 'resources/db:~1~1{table}~1{id}/allow/0'],
    ['`when` sees the URI', reader, 'db://{table}/{id}', 'db://users/7', 'POLICY_REFUSED'],
    ['a glob that fits the URI, before the template', reader, 'db://{table}/{id}', 'db://audit/7', 'CATALOG_UNKNOWN_RESOURCE'],
    ['a glob, and the template has no key', reader, 'file:///{+path}', 'file:///docs/a', 'resources/file:~1~1~1docs~1*/allow/0'],
    ['neither', reader, 'file:///{+path}', 'file:///etc/passwd', 'CATALOG_UNKNOWN_RESOURCE'],
    [
      'the exact URI, before both',
      reader,
      'file:///{+path}',
      'file:///docs/private/rota',
      'resources/file:~1~1~1docs~1private~1rota/allow/0',
    ],
    // What a server calls the variables of its template opens nothing.
    ['a glob that fits the template alone', reader, 'note://{public}/{id}', 'note://a/1', 'CATALOG_UNKNOWN_RESOURCE'],
    ['of two templates that are equally close its own', reader, 'mail://{id}', 'mail://7', 'resources/mail:~1~1{id}/allow/0'],
    ['which may be closed', reader, 'mail://{+id}', 'mail://7', 'CATALOG_UNKNOWN_RESOURCE'],
    ['and none where it is of neither', reader, '{+all}', 'mail://7', 'CATALOG_UNKNOWN_RESOURCE'],
    ['a template with a star of its own', reader, 'log://{/path*}', 'log:///a/b', 'resources/log:~1~1{~1path*}/allow/0'],
    ['whose key is no glob', reader, 'log://{/path*}x}', 'log://y', 'CATALOG_UNKNOWN_RESOURCE'],
    ['an entry for what no template names opens a template too', reader, 'web://{+x}', 'web://open/a', 'resources/web:~1~1open~1*/allow/0'],
  ])('of an instance of a template: %s', (_what, caller, template, uri, expected) => {
    expect(read(caller, item('resourceTemplate', template), uri)).toBe(expected)
  })

  test.each<[string, string, string]>([
    ['its entry says so', 'web://open/a', 'resources/web:~1~1open~1*/allow/0'],
    ['a closer entry does not', 'web://open/closed/a', 'CATALOG_UNKNOWN_RESOURCE'],
    ['its entry does not', 'file:///docs/a', 'CATALOG_UNKNOWN_RESOURCE'],
    ['nor does an exact one', 'file:///docs/private/rota', 'CATALOG_UNKNOWN_RESOURCE'],
  ])('of what nothing names: %s', (_what, uri, expected) => {
    expect(read(reader, item('resource', uri, 'github', false))).toBe(expected)
    expect(loaded.policy.visible(reader, [item('resource', uri, 'github', false)])).toHaveLength(expected.startsWith('res') ? 1 : 0)
  })

  test('is a read', () => {
    const made = call('github+file:///docs/a', {}, 'resources/read')
    expect(grant(reader, item('resource', 'file:///docs/a'), made)).toMatchObject({ effect: 'read', policy: { unlisted: false } })
  })
})

describe('lists', () => {
  test('a template is shown by its own text, exact or under a glob; a prompt that only lacks scope where it is discoverable', () => {
    const items = [
      item('resourceTemplate', 'db://{table}/{id}'),
      item('resourceTemplate', 'file:///docs/{name}'),
      item('resourceTemplate', 'file:///docs/private/{name}'),
      item('resourceTemplate', 'post://{id}'),
      item('resource', 'file:///docs/a'),
      item('prompt', 'sum_up'),
      item('prompt', 'review'),
    ]
    const shown = (caller: Principal) => loaded.policy.visible(caller, items).map(({ upstreamName }) => upstreamName)
    expect(shown(reader)).toEqual(['db://{table}/{id}', 'file:///docs/{name}', 'file:///docs/a', 'sum_up', 'review'])
    expect(shown(staff)).toEqual(['db://{table}/{id}', 'file:///docs/{name}', 'file:///docs/private/{name}', 'file:///docs/a', 'sum_up'])
    expect(shown(principal())).toEqual(['sum_up'])
  })
})

describe('tasks', () => {
  const tasks = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

  test.each(tasks)('%s is for who may use the tool today; the arguments were judged when it began', method => {
    const sealed = call('w1.k.sealed', {}, method)
    expect(outcome(reader, item('tool', 'send'), sealed)).toBe('tools/send/allow/0')
    expect(grant(principal(), item('tool', 'send'), sealed)).toMatchObject({ code: 'AUTH_SCOPE_INSUFFICIENT' })
    expect(grant(reader, item('tool', 'gone'), sealed)).toMatchObject({ code: 'CATALOG_UNKNOWN_TOOL', open: { name: 'w1.k.sealed' } })
  })

  test.each([
    ['tasks/get', 'send', 'read'],
    ['tasks/update', 'send', 'destructive'],
    ['tasks/cancel', 'send', 'destructive'],
    ['tasks/get', 'look', 'read'],
    ['tasks/update', 'look', 'write'],
  ] as const)('the effect of %s of %s is %s', (method, name, effect) => {
    expect(grant(reader, item('tool', name), call('w1.k.sealed', {}, method))).toMatchObject({ effect })
  })
})

describe('completions', () => {
  const complete = (approved: ApprovedItem, name: string, args: JsonObject = {}) =>
    outcome(reader, approved, call(name, args, 'completion/complete'))

  test('of a prompt are judged on the arguments known so far', () => {
    expect(complete(item('prompt', 'review'), 'github__review', { language: 'de' })).toBe('prompts/review/allow/0')
    expect(complete(item('prompt', 'review'), 'github__review', { language: 'fr' })).toBe('POLICY_REFUSED')
    expect(complete(item('prompt', 'review'), 'github__review')).toBe('POLICY_REFUSED')
    expect(complete(item('prompt', 'closed'), 'github__closed')).toBe('CATALOG_UNKNOWN_PROMPT')
  })

  test('of a template are judged on its text, whatever the arguments are', () => {
    const template = item('resourceTemplate', 'db://{table}/{id}')
    expect(complete(template, 'github+db://{table}/{id}', { table: 'users', uri: 'db://users/1' })).toBe(
      'resources/db:~1~1{table}~1{id}/allow/0',
    )
    expect(complete(template, 'github+db://users/1')).toBe('POLICY_REFUSED')
    expect(complete(item('resourceTemplate', 'post://{id}'), 'github+post://{id}')).toBe('CATALOG_UNKNOWN_RESOURCE')
  })

  test('of a template are refused where a rule opens only some of its URIs: what is suggested would be the others', () => {
    const template = item('resourceTemplate', 'page://{id}')
    expect(read(reader, template, 'page://17')).toBe('resources/page:~1~1{id}/allow/0')
    expect(read(reader, template, 'page://2')).toBe('POLICY_REFUSED')
    expect(complete(template, 'github+page://{id}', { id: '1' })).toBe('POLICY_REFUSED')
  })

  test('are reads', () => {
    const made = call('github__sum_up', {}, 'completion/complete')
    expect(grant(reader, item('prompt', 'sum_up'), made)).toMatchObject({ effect: 'read' })
  })
})
