import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ApprovedItem, Call, Principal } from '../../src/core/model.ts'
import { type Asked, explain, type LoadedPolicies } from '../../src/policy/index.ts'
import { call, item, load, principal } from './folder.ts'

const scopes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })
const claims = fc.constantFrom<JsonObject>({}, { org: 'one' }, { org: 'two' })
const condition = fc.oneof(
  fc.record({ argument: fc.constant('/uri'), like: fc.constantFrom('*', 'd://x/*', 'd://*/1', 'one') }),
  fc.record({ cel: fc.constantFrom('args.uri == tool.name', 'has(args.uri)', 'tool.alias == "github"', 'args.uri.endsWith("1")') }),
)
const rule = fc.record({
  scopes,
  claims: fc.constantFrom({}, { org: { equals: 'one' } }, { org: { present: true } }),
  when: fc.array(condition, { maxLength: 2 }),
})
const entry = { discoverable: fc.boolean(), allow: fc.array(rule, { maxLength: 3 }) }
const map = <Entry>(entries: fc.Arbitrary<Entry>, ...keys: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...keys), entries, { noNullPrototype: true })
const policies = fc.record({
  tools: map(fc.record({ effect: fc.constantFrom('read', 'write'), ...entry }), 'x', 'x*', '*'),
  prompts: map(fc.record(entry), 'x', 'x*', '*'),
  resources: map(fc.record({ ...entry, unlisted: fc.boolean() }), 'd://x/1', 'd://x/*', 'd://*', 'd://x/{id}', 'd://{+path}'),
})

interface Asking {
  readonly approved: ApprovedItem
  readonly made: Call
  readonly asked: Asked
}

const args = fc.constantFrom<JsonObject>({}, { uri: 'one' }, { uri: 'd://x/1' })
const uri = fc.constantFrom('d://x/1', 'd://x/2', 'd://y/1')
const template = fc.constantFrom('d://x/{id}', 'd://{+path}')

const ofTool = fc.tuple(fc.constantFrom('x', 'xy', 'z'), args).map(
  ([name, args]): Asking => ({
    approved: item('tool', name),
    made: call(`github__${name}`, args),
    asked: { kind: 'tool', name: `github__${name}`, args },
  }),
)
const ofPrompt = fc.tuple(fc.constantFrom('x', 'xy', 'z'), args).map(
  ([name, args]): Asking => ({
    approved: item('prompt', name),
    made: call(`github__${name}`, args, 'prompts/get'),
    asked: { kind: 'prompt', name: `github__${name}`, args },
  }),
)
const reading = (approved: ApprovedItem, uri: string): Asking => ({
  approved,
  made: call(`github+${uri}`, {}, 'resources/read'),
  asked: { kind: 'resource', name: `github+${uri}`, args: {} },
})
const ofResource = uri.map(uri => reading(item('resource', uri), uri))
const ofTemplate = template.map(text => reading(item('resourceTemplate', text), text))
const ofInstance = fc
  .tuple(uri, template)
  .filter(([uri, template]) => uri.startsWith('d://x/') || template === 'd://{+path}')
  .map(([uri, template]) => reading(item('resourceTemplate', template), uri))
const ofUnlisted = uri.map(uri => reading(item('resource', uri, 'github', false), uri))
const anything = fc.oneof(ofTool, ofPrompt, ofResource, ofTemplate, ofInstance, ofUnlisted)

function outcome({ policy }: LoadedPolicies, caller: Principal, { approved, made }: Asking): string {
  try {
    policy.grant(caller, approved, made)
    return 'allow'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const loadItems = (items: object): Promise<LoadedPolicies> =>
  load({ 'tools/github.yaml': stringify({ version: 1, upstream: 'github', ...items }, { aliasDuplicateObjects: false }) })

const caller = fc.record({ scopes, claims })
const RUNS = { numRuns: 100 }

test('without a rule nobody is granted anything, of any kind, and no list shows it', async () => {
  await fc.assert(
    fc.asyncProperty(policies, caller, anything, async (items, facts, asking) => {
      const ruleless = Object.fromEntries(
        Object.entries(items).map(([section, entries]) => [
          section,
          Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, { ...entry, allow: [] }])),
        ]),
      )
      const loaded = await loadItems(ruleless)
      expect(outcome(loaded, principal(facts), asking)).toMatch(/^CATALOG_UNKNOWN_/)
      expect(loaded.policy.visible(principal(facts), [asking.approved])).toEqual([])
    }),
    RUNS,
  )
})

test('lists and calls agree: what may be tried is listed, and what is unknown is not', async () => {
  await fc.assert(
    fc.asyncProperty(policies, caller, fc.oneof(ofTool, ofPrompt, ofResource, ofTemplate, ofUnlisted), async (items, facts, asking) => {
      const loaded = await loadItems(items)
      const listed = loaded.policy.visible(principal(facts), [asking.approved]).length === 1
      const code = outcome(loaded, principal(facts), asking)
      if (code === 'allow' || code === 'POLICY_REFUSED') expect(listed).toBe(true)
      if (code.startsWith('CATALOG_UNKNOWN')) expect(listed).toBe(false)
    }),
    RUNS,
  )
})

test('tests and explain say what is decided about a request, of any kind', async () => {
  await fc.assert(
    fc.asyncProperty(policies, caller, fc.oneof(ofTool, ofPrompt, ofResource, ofTemplate, ofInstance), async (items, facts, asking) => {
      const loaded = await loadItems(items)
      expect(explain(loaded, principal(facts), asking.asked).decision).toBe(outcome(loaded, principal(facts), asking))
    }),
    RUNS,
  )
})

test('an instance of a template is decided as a listed resource of its URI is', async () => {
  await fc.assert(
    fc.asyncProperty(policies, caller, ofInstance, async (items, facts, asking) => {
      const loaded = await loadItems(items)
      const listed = { ...asking, approved: item('resource', asking.made.name.replace('github+', '')) }
      expect(outcome(loaded, principal(facts), asking)).toBe(outcome(loaded, principal(facts), listed))
    }),
    RUNS,
  )
})

test('what nothing names is never open where a listed resource of that URI is not', async () => {
  await fc.assert(
    fc.asyncProperty(policies, caller, ofUnlisted, async (items, facts, asking) => {
      const loaded = await loadItems(items)
      const listed = { ...asking, approved: item('resource', asking.approved.upstreamName) }
      if (outcome(loaded, principal(facts), asking) === 'allow') expect(outcome(loaded, principal(facts), listed)).toBe('allow')
    }),
    RUNS,
  )
})
