import { describe, expect, it } from 'vitest'
import { parseListen } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, refusalOf, requestOf, TASKS } from './support.ts'

const parse = (notifications: unknown, capabilities: object = TASKS) =>
  parseListen(requestOf('subscriptions/listen', { notifications }), metaDeclaring(capabilities))

const NOTHING = { tools: false, prompts: false, resources: false, uris: [], taskIds: [] }
const many = (count: number) => Array.from({ length: count }, (_, index) => `a:${index}`)

describe('parseListen', () => {
  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['tools', { toolsListChanged: true, promptsListChanged: false }, { tools: true }],
    ['prompts', { promptsListChanged: true }, { prompts: true }],
    ['resources', { resourcesListChanged: true }, { resources: true }],
    ['resources by URI', { resourceSubscriptions: ['b:1', 'a:2'] }, { uris: ['b:1', 'a:2'] }],
    ['a URI twice', { resourceSubscriptions: ['a:1', 'b:1', 'a:1'] }, { uris: ['a:1', 'b:1'] }],
    ['tasks', { taskIds: ['w1.a', 'w1.b', 'w1.a'] }, { taskIds: ['w1.a', 'w1.b'] }],
    ['as much as there can be', { resourceSubscriptions: many(100), taskIds: many(100) }, { uris: many(100), taskIds: many(100) }],
    ['what other extensions add', { 'com.example/thingsChanged': { a: 1 } }, {}],
  ])('asks for %s', (_, notifications, expected) => {
    expect(parse(notifications)).toEqual({ ...NOTHING, ...expected })
  })

  it.each<[string, unknown]>([
    ['no filter', undefined],
    ['a filter that is an array', []],
    ['a filter that is null', null],
    ['a flag that is a string', { toolsListChanged: 'yes' }],
    ['a flag that is null', { resourcesListChanged: null }],
    ['a flag that is a number', { promptsListChanged: 1 }],
    ['a flag in another spelling', { ToolsListChanged: true }],
    ['a URI that is no list', { resourceSubscriptions: 'a:1' }],
    ['URIs null', { resourceSubscriptions: null }],
    ['a URI that is a number', { resourceSubscriptions: ['a:1', 2] }],
    ['101 URIs', { resourceSubscriptions: many(101) }],
    ['101 times one URI', { resourceSubscriptions: Array(101).fill('a:1') }],
    ['a URI of 8,193 characters', { resourceSubscriptions: ['x'.repeat(8_193)] }],
    ['101 tasks', { taskIds: many(101) }],
    ['a task id that is an object', { taskIds: [{}] }],
    ['a task id over 16 KiB', { taskIds: ['x'.repeat(16_385)] }],
  ])('refuses %s', (_, notifications) => {
    expect(codeOf(() => parse(notifications))).toBe('MCP_PARAMS_INVALID')
  })

  it('[REQ-TASKS-CAPABILITY] tasks are told of to callers that declare them', () => {
    const refusal = refusalOf(() => parse({ toolsListChanged: true, taskIds: ['t'] }, {}))
    expect(refusal.code).toBe('MCP_CAPABILITY_MISSING')
    expect(refusal.open).toEqual({ requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } })
    expect(parse({ taskIds: [] }, {})).toEqual(NOTHING)
  })
})
