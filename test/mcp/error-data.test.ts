import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../src/core/json.ts'
import type { UpstreamError } from '../../src/core/model.ts'
import { parseResponse, rewriteErrorUri } from '../../src/mcp/index.ts'

function errorOf(code: number, data?: string): UpstreamError {
  const member = data === undefined ? '' : `,"data":${data}`
  const response = parseResponse(
    parseJsonText(`{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":""${member}}}`),
    1,
    'resources/read',
  )
  if (response.kind !== 'error') throw new Error('not an error')
  return response
}

describe('capabilities a server misses', () => {
  it.each<[string, object | undefined]>([
    ['{"requiredCapabilities":{"elicitation":{}}}', { elicitation: {} }],
    ['{"requiredCapabilities":{"elicitation":{"form":{},"url":{"x":1}}}}', { elicitation: { form: {}, url: {} } }],
    ['{"requiredCapabilities":{"sampling":{"tools":{},"context":{}},"roots":{}}}', { sampling: { tools: {}, context: {} }, roots: {} }],
    [
      '{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{"x":1}}}}',
      { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ],
    ['{"requiredCapabilities":{"elicitation":{"voice":{}},"telepathy":{}},"hint":"x"}', { elicitation: {} }],
    ['{"requiredCapabilities":{"telepathy":{}}}', undefined],
    ['{"requiredCapabilities":{"extensions":{"com.example/x":{}}}}', undefined],
    ['{"requiredCapabilities":{"elicitation":true}}', undefined],
    ['{"requiredCapabilities":{"elicitation":{"form":1}}}', { elicitation: {} }],
    ['{"requiredCapabilities":[]}', undefined],
    ['{"requiredCapabilities":{}}', undefined],
    ['{}', undefined],
    ['"elicitation"', undefined],
  ])('%s: those we know, in our words', (data, required) => {
    expect(errorOf(-32021, data).requiredCapabilities).toEqual(required)
  })

  it('are no matter of other errors', () => {
    expect(errorOf(-32602, '{"requiredCapabilities":{"elicitation":{}}}')).not.toHaveProperty('requiredCapabilities')
    expect(errorOf(-32021)).not.toHaveProperty('requiredCapabilities')
  })
})

describe('[REQ-RESOURCES-NOT-FOUND] the URI in an error', () => {
  const rewrite = (data: string, inner: string, exposed: string) => rewriteErrorUri(errorOf(-32602, data), inner, exposed).dataText

  it('is the one the caller asked for; all else stays as it was written', () => {
    expect(rewrite('{ "n":1.50, "uri" : "file:\\/\\/\\/a" }', 'file:///a', 'docs+file:///a')).toBe('{ "n":1.50, "uri" : "docs+file:///a" }')
  })

  it('stands behind the prefix whatever it is, so that it leads nowhere else', () => {
    expect(rewrite('{"uri":"other+file:///b"}', 'file:///a', 'docs+file:///a')).toBe('{"uri":"docs+other+file:///b"}')
  })

  it.each(['{"uri":7}', '{"URI":"file:///a"}', '["file:///a"]', '"file:///a"', '{"x":{"uri":"file:///a"}}'])('%s is none', data => {
    const error = errorOf(-32602, data)
    expect(rewriteErrorUri(error, 'file:///a', 'docs+file:///a')).toBe(error)
  })

  it('is left alone where names are the upstream’s own, and where there is none', () => {
    const error = errorOf(-32602, '{"uri":"file:///a"}')
    expect(rewriteErrorUri(error, 'file:///a', 'file:///a')).toBe(error)
    expect(rewriteErrorUri(errorOf(-32602), 'a:b', 'd+a:b')).toEqual(errorOf(-32602))
  })
})
