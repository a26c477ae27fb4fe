import { describe, expect, it } from 'vitest'
import { parsePromptGet, parseResourceRead, parseToolCall } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring, NO_HEADERS, requestWith } from './support.ts'

const META = metaDeclaring()
const answers = (count: number) => `{${Array.from({ length: count }, (_, index) => `"q${index}":{}`).join(',')}}`

/** What a repeated request brings back, by each of the methods that an upstream may answer with questions. */
describe.each([
  ['tools/call', '"name":"x"', parseToolCall],
  ['prompts/get', '"name":"x"', parsePromptGet],
  ['resources/read', '"uri":"a:b"', parseResourceRead],
] as const)('%s [REQ-MRTR-RESPONSES]', (method, target, parse) => {
  const resumption = (members: string) => parse(requestWith(method, `${target}${members}`), META, NO_HEADERS).resumption

  it('brings back nothing the first time', () => {
    expect(resumption('')).toBeUndefined()
  })

  it('brings back answers, as the bytes received, and a state', () => {
    const text = '{\t"b" : {"content":{"id":12345678901234567890}},\n"a":{"action":"decline"} }'
    const found = resumption(`,"inputResponses":${text},"requestState":"w1.s"`)
    expect(found).toMatchObject({ inputResponsesText: text, requestState: 'w1.s', inputResponses: { a: { action: 'decline' } } })
  })

  it('may bring back one of the two', () => {
    expect(resumption(',"requestState":""')).toEqual({ inputResponsesText: undefined, inputResponses: undefined, requestState: '' })
    expect(resumption(',"inputResponses":{}')).toEqual({ inputResponsesText: '{}', inputResponses: {}, requestState: undefined })
  })

  it('brings back at most 32 answers and 16 KiB of state', () => {
    expect(Object.keys(resumption(`,"inputResponses":${answers(32)}`)?.inputResponses ?? {})).toHaveLength(32)
    expect(resumption(`,"requestState":"${'s'.repeat(16_384)}"`)?.requestState).toHaveLength(16_384)
  })

  it.each([
    ['33 answers', `,"inputResponses":${answers(33)}`],
    ['a state over 16 KiB', `,"requestState":"${'s'.repeat(16_385)}"`],
    ['a state that is null', ',"requestState":null'],
    ['a state that is an object', ',"requestState":{}'],
    ['answers as an array', ',"inputResponses":[]'],
    ['answers null', ',"inputResponses":null'],
    ['an answer that is a string', ',"inputResponses":{"q":"accept"}'],
    ['an answer that is an array', ',"inputResponses":{"q":{},"r":[]}'],
    ['an answer that is null', ',"inputResponses":{"q":null}'],
    ['two spellings of one question', ',"inputResponses":{"q":{},"Q":{}}'],
    ['an answer with two actions', ',"inputResponses":{"q":{"action":"decline","Action":"accept"}}'],
  ])('is refused with %s', (_, members) => {
    expect(codeOf(() => resumption(members))).toBe('MCP_PARAMS_INVALID')
  })
})
