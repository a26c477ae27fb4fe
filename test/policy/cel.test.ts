import { describe, expect, test } from 'vitest'
import { ExactNumber, type JsonObject } from '../../src/core/json.ts'
import type { PrincipalFacts } from '../../src/core/model.ts'
import { compileCel } from '../../src/policy/cel.ts'
import { principal } from './folder.ts'

const TOOL = { name: 'set', alias: 'github', effect: 'write' } as const
const clock = { now: () => Date.UTC(2026, 10, 30, 9), monotonicMs: () => 0 }

function evaluate(source: string, args: JsonObject = {}, caller: PrincipalFacts = principal()): boolean {
  const cel = compileCel(source, clock)
  if ('problems' in cel) throw new Error(cel.problems.map(each => each.message).join('; '))
  return cel.evaluate(caller, TOOL, args)
}

function problems(source: string): readonly string[] {
  const cel = compileCel(source, clock)
  return 'problems' in cel ? cel.problems.map(each => `${each.index} ${each.message}`) : []
}

const long = Array.from({ length: 501 }, () => 'a')

test.each<[string, JsonObject, boolean]>([
  ['size(args.labels) <= 5', { labels: ['a', 'b'] }, true],
  ['size(args.labels) <= 5', { labels: ['a', 'b', 'c', 'd', 'e', 'f'] }, false],
  ['size(args.labels) <= 5', {}, false],
  ['args.amount <= 100', { amount: 100 }, true],
  ['args.amount <= 100', { amount: 99.5 }, true],
  ['args.amount <= 100', { amount: 100.5 }, false],
  ['args.amount <= 100', { amount: '5' }, false],
  ['args.amount * 2 <= 100', { amount: 50 }, true],
  ['args.amount % 10 == 0', { amount: 50 }, true],
  ['args.id == 9007199254740993', { id: new ExactNumber('9007199254740993') }, true],
  ['args.id == 9007199254740992', { id: new ExactNumber('9007199254740993') }, false],
  ['args.id > 0', { id: new ExactNumber('99999999999999999999') }, false],
  ['args.id > 0.0', { id: new ExactNumber('0.10000000000000000001') }, false],
  ['true || args.id > 0', { id: new ExactNumber('99999999999999999999') }, false],
  ['args.labels.all(l, l.startsWith("a"))', { labels: ['ab', 'ac'] }, true],
  ['args.labels.all(l, l.startsWith("a"))', { labels: ['ab', 'bc'] }, false],
  ['args.labels.all(l, l == "a")', { labels: long }, false],
  ['args.labels.all(l, l == "a")', { labels: long.slice(1) }, true],
  ['size(args.deep.labels) > 0', { deep: { labels: long } }, false],
  ['args.other == 1', { other: 1, labels: long }, true],
  ['args.labels.all(l, ["a", "b"].exists(p, l.startsWith(p)))', { labels: ['ab', 'bc'] }, true],
  ['["a", "b"].all(p, args.labels.exists(l, l == p))', { labels: ['b', 'a'] }, true],
  ['args.repo.matches("^acme/[a-z]+$")', { repo: 'acme/web' }, true],
  ['args.repo.matches("^(a+)+$")', { repo: `${'a'.repeat(40)}!` }, false],
  ['has(args.repo) && args.repo == "x"', { repo: 'x' }, true],
  ['!has(args.force)', {}, true],
  ['!has(args.force)', { force: false }, false],
  ['args["a b"] == 1', { 'a b': 1 }, true],
  ['size(args) == 1', { a: 1 }, true],
  ['"constructor" in args', {}, false],
  ['args == {"a": 1}', { a: 1 }, true],
])('%s with %j is %j', (source, args, expected) => {
  expect(evaluate(source, args)).toBe(expected)
})

test.each(['1', '"true"', 'args', 'args.missing', '[true]', 'args.a + 1', '1 / 0 == 1', 'int("x") == 1', 'null'])(
  '%s is not exactly true, so it is a no',
  source => {
    expect(evaluate(source, { a: 'text' })).toBe(false)
  },
)

test('principal, tool and now are what they are said to be', () => {
  const ann = principal({ scopes: ['a', 'b'], claims: { org: 'acme', roles: ['owner'] }, clientId: 'cli', tenant: 'acme' })
  const source = `principal.issuer == "https://login.example.com" && principal.subject == "ann" && principal.clientId == "cli"
    && principal.tenant == "acme" && "b" in principal.scopes && principal.claims.roles.exists(r, r == "owner")
    && tool.name == "set" && tool.alias == "github" && tool.effect == "write" && now < timestamp("2026-11-30T10:00:00Z")
    && now.getHours("UTC") == 9`
  expect(evaluate(source, {}, ann)).toBe(true)
})

test('a fact the token does not give is an error, and so a no, also when it is compared by "not"', () => {
  expect(evaluate('principal.tenant != "evil"')).toBe(false)
  expect(evaluate('principal.claims.org != "evil"')).toBe(false)
  expect(evaluate('!(principal.claims.org == "evil")')).toBe(false)
})

describe('checked when the file is loaded', () => {
  test.each<[string, readonly string[]]>([
    ['arg.x == 1', ['0 unknown name "arg"; did you mean "args"?']],
    ['args.x == y', ['10 unknown name "y"']],
    ['principal.role == 1', ['9 principal has no "role"']],
    ['tool.nme == "x"', ['4 tool has no "nme"; did you mean "name"?']],
    ['args.x.frob()', ['6 unknown function "frob"']],
    ['startsWith(args.x, "a")', ['0 "startsWith" is not used like this: wrong number of arguments, or function and method mixed up']],
    ['args.x.matches("(")', ['15 this is not an RE2 pattern']],
    ['args.x.matches("(?=a)b")', ['15 this is not an RE2 pattern']],
    ['args.a.filter(x, x > 1).all(x, x < 10)', ['23 a comprehension over args cannot walk the result of another one']],
    ['"x".matches(args.pattern)', ['16 a pattern must be written out']],
    ['Foo{a: 1} == args', ['0 only maps can be made here, no messages']],
    ['args.l.all(x, y == x)', ['14 unknown name "y"']],
    ['args.a.all(x, x.b.all(y, y == 1))', ['17 a comprehension over args cannot stand inside another one']],
    [
      'args.a.map(x, args.b.map(y, y)).size() > 0',
      [
        '14 inside a comprehension over args only its own variable may be used, not args',
        '20 a comprehension over args cannot stand inside another one',
      ],
    ],
    ['args.a.all(x, x in args.b)', ['19 inside a comprehension over args only its own variable may be used, not args']],
    ['principal.claims.g.exists(g, args.a.all(x, x == g))', ['35 a comprehension over args cannot stand inside another one']],
    ['constructor == 1', ['0 unknown name "constructor"']],
    ['', ['0 the CEL expression cannot be read from here on']],
    ['args.x ==', ['7 the CEL expression cannot be read from here on']],
  ])('%s', (source, expected) => {
    expect(problems(source)).toEqual(expected)
  })

  test.each([
    'type(args.x) == string',
    'size(args.a.filter(x, x > 1)) < 3 && size(args.a.map(x, x * 2)) < 3',
    'args.a.exists_one(x, x == 1)',
    'args.x ? true : false',
    'args.a[0] == 1 && args["b"].c == 2',
    'duration("1h") < duration("2h")',
    'args.labels.all(l, principal.claims.labels.exists(p, p == l))',
  ])('%s is fine', source => {
    expect(problems(source)).toEqual([])
  })
})
