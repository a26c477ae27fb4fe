import { describe, expect, it } from 'vitest'
import type { ClientCapabilities } from '../../src/core/model.ts'
import { createAnswerRules } from '../../src/validation/answer-rules.ts'
import { checkSampling } from '../../src/validation/question-sampling.ts'
import { ACME, ANSWER_ANYTHING, refusedFor, toJson } from './support.ts'

const rules = createAnswerRules(ACME)
const text = { type: 'text', text: 'x' }
const least = { messages: [{ role: 'user', content: text }], maxTokens: 100 }

function reasonOf(more: object, capabilities: Partial<ClientCapabilities> = {}): string | undefined {
  const params = toJson({ ...least, ...more })
  return refusedFor(() => {
    const { systemPrompt, ...rest } = checkSampling(params, rules, { ...ANSWER_ANYTHING, ...capabilities })
    const { systemPrompt: given = '', ...given_ } = params
    expect(rest).toEqual(given_)
    expect(systemPrompt).toBe(given === '' ? '[acme]' : `[acme] ${given}`)
  })
}

describe('a model is asked in the form of the protocol', () => {
  it.each<[string, object]>([
    ['as little as there may be', {}],
    ['a list of blocks', { messages: [{ role: 'user', content: [text, { type: 'tool_result', toolUseId: '1', content: [text] }] }] }],
    [
      'a conversation',
      {
        messages: [
          { role: 'user', content: text },
          { role: 'assistant', content: text },
        ],
      },
    ],
    [
      'everything',
      {
        systemPrompt: 'Be brief.\nAnd kind.',
        modelPreferences: { hints: [{ name: 'm' }], costPriority: 0.5 },
        includeContext: 'thisServer',
        temperature: 0.7,
        stopSequences: ['\n'],
        metadata: { a: 1 },
        tools: [{ name: 't', inputSchema: { type: 'object' } }],
        toolChoice: { mode: 'auto' },
        zz: 1,
      },
    ],
    ['no context, said aloud', { includeContext: 'none' }],
  ])('%s', (_, more) => {
    expect(reasonOf(more)).toBeUndefined()
  })

  it.each<[string, object, string]>([
    ['no messages', { messages: undefined }, 'messages'],
    ['messages that are no list', { messages: {} }, 'messages'],
    ['a message of the system', { messages: [{ role: 'system', content: text }] }, 'messages'],
    ['a message that is a text', { messages: [{ role: 'user', content: 'x' }] }, 'messages'],
    ['a block without a type', { messages: [{ role: 'user', content: [{}] }] }, 'messages'],
    ['a message too many', { messages: Array.from({ length: 65 }, () => least.messages[0]) }, 'messages'],
    ['no end of tokens', { maxTokens: undefined }, 'max_tokens'],
    ['too many of them', { maxTokens: 1_000_001 }, 'max_tokens'],
    ['none of them', { maxTokens: 0 }, 'max_tokens'],
    ['half of one', { maxTokens: 1.5 }, 'max_tokens'],
    ['a system prompt that is no text', { systemPrompt: [text] }, 'system_prompt'],
    ['a system prompt that shows nothing', { systemPrompt: '\u{e0041}' }, 'hidden_characters'],
    ['preferences that are no object', { modelPreferences: [] }, 'sampling_options'],
    ['metadata that is no object', { metadata: 'x' }, 'sampling_options'],
    ['tools that are no list', { tools: {} }, 'sampling_options'],
    ['a tool choice that is a text', { toolChoice: 'auto' }, 'sampling_options'],
    ['a temperature that is a text', { temperature: '1' }, 'sampling_options'],
    ['stop sequences that are numbers', { stopSequences: [1] }, 'sampling_options'],
    ['a context nobody knows', { includeContext: 'everything' }, 'sampling_options'],
  ])('%s is no question', (_, more, reason) => {
    expect(reasonOf(more)).toBe(reason)
  })
})

describe('and with more only where the caller declared that', () => {
  it.each<[object, string]>([
    [{ tools: [] }, 'tools_not_declared'],
    [{ toolChoice: { mode: 'none' } }, 'tools_not_declared'],
    [{ includeContext: 'thisServer' }, 'context_not_declared'],
    [{ includeContext: 'allServers' }, 'context_not_declared'],
  ])('%j', (more, reason) => {
    expect(reasonOf(more, { samplingTools: false, samplingContext: false })).toBe(reason)
    expect(reasonOf(more)).toBeUndefined()
    expect(reasonOf({ includeContext: 'none' }, { samplingContext: false })).toBeUndefined()
  })
})
