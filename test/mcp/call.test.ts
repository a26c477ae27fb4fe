import { expect, it } from 'vitest'
import { parseCompletion, parsePromptGet, parseResourceRead, parseTaskRequest, parseToolCall } from '../../src/mcp/index.ts'
import { metaDeclaring, NO_HEADERS, requestWith, TASKS } from './support.ts'

const META = metaDeclaring(TASKS)

it('calls of every method have the same members in the same order', () => {
  const calls = [
    parseToolCall(requestWith('tools/call', '"name":"x"'), META, NO_HEADERS),
    parseToolCall(requestWith('tools/call', '"name":"x","arguments":{},"requestState":"s"'), META, NO_HEADERS),
    parsePromptGet(requestWith('prompts/get', '"name":"x"'), META, NO_HEADERS),
    parseResourceRead(requestWith('resources/read', '"uri":"a:b"'), META, NO_HEADERS),
    parseTaskRequest(requestWith('tasks/get', '"taskId":"t"'), META, NO_HEADERS),
    parseTaskRequest(requestWith('tasks/update', '"taskId":"t","inputResponses":{}'), META, NO_HEADERS),
    parseCompletion(
      requestWith('completion/complete', '"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}'),
      META,
      NO_HEADERS,
    ).call,
  ]
  expect(new Set(calls.map(call => Object.keys(call).join(' ')))).toEqual(
    new Set(['method id name arguments argumentsText meta headers resumption task']),
  )
})
