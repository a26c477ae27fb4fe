import { describe, expect, it } from 'vitest'
import { parseTaskRequest } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, NO_HEADERS, refusalOf, requestWith, TASKS } from './support.ts'

const META = metaDeclaring(TASKS)
const parse = (method: string, params: string, meta = META) => parseTaskRequest(requestWith(method, params), meta, NO_HEADERS)

describe('parseTaskRequest', () => {
  it.each(['tasks/get', 'tasks/cancel'])('%s says which task, and forwards nothing else', method => {
    expect(parse(method, '"taskId":"w1.t","inputResponses":{"q":{}},"requestState":"s"')).toEqual({
      method,
      id: '7',
      name: 'w1.t',
      arguments: {},
      argumentsText: '',
      meta: META,
      headers: NO_HEADERS,
      resumption: undefined,
      task: undefined,
    })
  })

  it('tasks/update brings answers, as the bytes received', () => {
    const text = '{ "q" : {"action":"accept","content":{"n":1.50}} }'
    const call = parse('tasks/update', `"inputResponses":${text},"taskId":"w1.t"`)
    expect(call).toMatchObject({ method: 'tasks/update', name: 'w1.t', arguments: {}, argumentsText: text })
    expect(call.resumption).toEqual({
      inputResponsesText: text,
      inputResponses: { q: { action: 'accept', content: { n: 1.5 } } },
      requestState: undefined,
    })
  })

  it.each([
    ['tasks/get', ''],
    ['tasks/get', '"taskId":7'],
    ['tasks/cancel', '"taskId":null'],
    ['tasks/get', `"taskId":"${'t'.repeat(16_385)}"`],
    ['tasks/update', '"taskId":"t"'],
    ['tasks/update', '"taskId":"t","inputResponses":[]'],
    ['tasks/update', '"taskId":"t","inputResponses":{"q":"yes"}'],
    ['tasks/update', '"taskId":"t","inputResponses":{"q":{},"Q":{}}'],
  ])('%s with %s is refused', (method, params) => {
    expect(codeOf(() => parse(method, params))).toBe('MCP_PARAMS_INVALID')
  })

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('[REQ-TASKS-CAPABILITY] %s is for callers that declare tasks', method => {
    const params = '"taskId":"t","inputResponses":{}'
    const refusal = refusalOf(() => parse(method, params, metaDeclaring({ tasks: {}, elicitation: {} })))
    expect(refusal.code).toBe('MCP_CAPABILITY_MISSING')
    expect(refusal.open).toEqual({ requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } })
  })

  it('no other method is one', () => {
    expect(codeOf(() => parse('tasks/result', '"taskId":"t"'))).toBe('MCP_METHOD_NOT_FOUND')
  })
})
