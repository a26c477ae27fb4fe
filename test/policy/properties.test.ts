import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Principal } from '../../src/core/model.ts'
import { explain, type LoadedPolicies } from '../../src/policy/index.ts'
import { call, load, principal, tool } from './folder.ts'

const scopes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
const condition = fc.oneof(
  fc.record({ argument: fc.constant('/x'), equals: fc.constantFrom(1, 'one', null) }),
  fc.record({ argument: fc.constant('/x'), absent: fc.constant(true) }),
  fc.record({ argument: fc.constant('/x'), equalsClaim: fc.constant('org') }),
  fc.record({ cel: fc.constantFrom('args.x == 1', 'has(args.x)', 'principal.claims.org == "one"', 'args.x.y') }),
)
const rule = fc.record({
  scopes,
  claims: fc.constantFrom({}, { org: { equals: 'one' } }, { org: { present: true } }),
  when: fc.array(condition, { maxLength: 2 }),
})
const entry = fc.record({ effect: fc.constantFrom('read', 'write'), discoverable: fc.boolean(), allow: fc.array(rule, { maxLength: 4 }) })
const policies = fc.dictionary(fc.constantFrom('get_x', 'get_*', 'set_x', '*'), entry, { minKeys: 1, noNullPrototype: true })
const claims = fc.constantFrom<JsonObject>({}, { org: 'one' }, { org: 'two' }, { org: 1 })
const args = fc.constantFrom<JsonObject>({}, { x: 1 }, { x: 'one' }, { x: null }, { x: { y: true } })
const name = fc.constantFrom('get_x', 'get_y', 'set_x', 'other')
const situation = fc.record({ tools: policies, scopes, claims, args, name })

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

const loadTools = (tools: Situation['tools']): Promise<LoadedPolicies> =>
  load({ 'tools/github.yaml': stringify({ version: 1, upstream: 'github', tools }) })

function outcome(loaded: LoadedPolicies, caller: Principal, { name, args }: Situation): string {
  try {
    loaded.policy.grant(caller, tool(name), call(`github__${name}`, args))
    return 'allow'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const RUNS = { numRuns: 80 }

test('a scope more never turns a yes into a no', async () => {
  await fc.assert(
    fc.asyncProperty(situation, fc.constantFrom('a', 'b', 'c', 'd'), async (situation, more) => {
      const loaded = await loadTools(situation.tools)
      const { scopes, claims } = situation
      fc.pre(outcome(loaded, principal({ scopes, claims }), situation) === 'allow')
      expect(outcome(loaded, principal({ scopes: [...scopes, more], claims }), situation)).toBe('allow')
    }),
    RUNS,
  )
})

test('a tool whose call is granted, or refused for its arguments alone, is always in the list', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async situation => {
      const loaded = await loadTools(situation.tools)
      const caller = principal(situation)
      const listed = loaded.policy.visible(caller, [tool(situation.name)]).length === 1
      const code = outcome(loaded, caller, situation)
      if (code === 'allow' || code === 'POLICY_REFUSED') expect(listed).toBe(true)
      if (code === 'CATALOG_UNKNOWN_TOOL') expect(listed).toBe(false)
    }),
    RUNS,
  )
})

test('with the scopes a challenge asks for, the same call is not challenged again', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async situation => {
      const loaded = await loadTools(situation.tools)
      const { claims, name, args } = situation
      fc.pre(outcome(loaded, principal(situation), situation) === 'AUTH_SCOPE_INSUFFICIENT')
      const { scopes } = explain(loaded, principal(situation), { kind: 'tool', name: `github__${name}`, args })
      expect(['allow', 'POLICY_REFUSED']).toContain(outcome(loaded, principal({ scopes, claims }), situation))
    }),
    RUNS,
  )
})

test('explain concludes what grant decides, and a rule of which every condition holds decides for it', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async situation => {
      const loaded = await loadTools(situation.tools)
      const caller = principal(situation)
      const explanation = explain(loaded, caller, { kind: 'tool', name: `github__${situation.name}`, args: situation.args })
      expect(explanation.decision).toBe(outcome(loaded, caller, situation))
      const open = explanation.rules.filter(each => each.conditions.every(condition => condition.holds))
      expect(explanation.decision === 'allow').toBe(open.length > 0)
      if (explanation.decision === 'allow') expect(explanation.address).toBe(open[0]?.address)
    }),
    RUNS,
  )
})
