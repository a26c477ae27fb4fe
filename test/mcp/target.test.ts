import { describe, expect, it } from 'vitest'
import type { ApprovedItem, Call } from '../../src/core/model.ts'
import { argumentsOf, upstreamNameOf } from '../../src/mcp/index.ts'
import { metaDeclaring, NO_HEADERS } from './support.ts'

function itemOf(kind: ApprovedItem['kind'], upstreamName: string, uriPrefix = 'docs+'): ApprovedItem {
  const facts = { kind, alias: 'docs', upstreamName, exposedName: `docs__${upstreamName}`, uriPrefix, pin: '', listed: true }
  return { ...facts, descriptor: {}, listing: '', paramHeaders: [] } as unknown as ApprovedItem
}

function callOf(method: Call['method'], name: string, task?: Call['task']): Call {
  const parts = { method, id: 1, name, arguments: { a: 1 }, argumentsText: '{"a":1}', resumption: undefined, task }
  return { ...parts, meta: metaDeclaring(), headers: NO_HEADERS }
}

const TASK = { sealedId: 'w1.t', upstreamId: 'task-7' }

describe('the target of a call', () => {
  it.each([
    ['a tool', itemOf('tool', 'search'), callOf('tools/call', 'docs__search'), 'search'],
    ['a prompt', itemOf('prompt', 'review'), callOf('prompts/get', 'docs__review'), 'review'],
    ['a prompt that is completed', itemOf('prompt', 'review'), callOf('completion/complete', 'docs__review'), 'review'],
    ['a resource', itemOf('resource', 'file:///a'), callOf('resources/read', 'docs+file:///a'), 'file:///a'],
    ['an instance of a template', itemOf('resourceTemplate', 'f:{x}'), callOf('resources/read', 'docs+f:y'), 'f:y'],
    ['a template that is completed', itemOf('resourceTemplate', 'f:{x}'), callOf('completion/complete', 'docs+f:{x}'), 'f:{x}'],
    ['a resource of an endpoint without prefixes', itemOf('resource', 'f:a', ''), callOf('resources/read', 'f:a'), 'f:a'],
    ['a resource whose own scheme looks prefixed', itemOf('resource', 'docs+f:a'), callOf('resources/read', 'docs+docs+f:a'), 'docs+f:a'],
    ['a task that is looked at', itemOf('tool', 'search'), callOf('tasks/get', 'w1.t', TASK), 'task-7'],
    ['a task that is answered', itemOf('tool', 'search'), callOf('tasks/update', 'w1.t', TASK), 'task-7'],
    ['a task that is ended', itemOf('tool', 'search'), callOf('tasks/cancel', 'w1.t', TASK), 'task-7'],
  ])('%s', (_, item, call, name) => {
    expect(upstreamNameOf(item, call)).toBe(name)
  })

  it('a task whose id was not opened has no name: the sealed one never leaves', () => {
    expect(() => upstreamNameOf(itemOf('tool', 'search'), callOf('tasks/get', 'w1.t'))).toThrow('opened')
  })

  it('of a resource that is read, policy sees the upstream’s URI; of everything else the arguments', () => {
    expect(argumentsOf(itemOf('resource', 'f:a'), callOf('resources/read', 'docs+f:a'))).toEqual({ uri: 'f:a' })
    expect(argumentsOf(itemOf('resourceTemplate', 'f:{x}'), callOf('resources/read', 'docs+f:y'))).toEqual({ uri: 'f:y' })
    expect(argumentsOf(itemOf('resource', 'f:a'), callOf('completion/complete', 'docs+f:a'))).toEqual({ a: 1 })
    expect(argumentsOf(itemOf('resourceTemplate', 'f:{x}'), callOf('completion/complete', 'docs+f:{x}'))).toEqual({ a: 1 })
    expect(argumentsOf(itemOf('tool', 'search'), callOf('tools/call', 'docs__search'))).toEqual({ a: 1 })
  })
})
