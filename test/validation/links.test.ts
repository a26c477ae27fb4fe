import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { ANSWER_ANYTHING, answerOf, type CallFacts, refusalOf, shownBy, toJson, unchanged, validationOf } from './support.ts'

const prefixed: CallFacts = { uriPrefix: 'acme+', capabilities: ANSWER_ANYTHING }
const prompt: CallFacts = { ...prefixed, method: 'prompts/get', kind: 'prompt', effect: 'read' }
const resource: CallFacts = { ...prefixed, method: 'resources/read', kind: 'resource', upstreamName: 'file:///a', effect: 'read' }
const link = (uri: unknown) => ({ type: 'resource_link', name: 'n', uri })
const embedded = (uri: unknown) => ({ type: 'resource', resource: { uri, text: 'x' } })

function shown(facts: CallFacts, result: unknown, upstream = {}): JsonObject {
  return shownBy(validationOf(upstream).checkResult(answerOf(facts, result)))
}

describe('A-103: a link of one upstream stays with it', () => {
  it.each<[string, CallFacts, (...uris: string[]) => object]>([
    ['a tool’s result', prefixed, (a, b) => ({ content: [link(a), embedded(b), { type: 'text', text: 'file:///x' }] })],
    ['a tool’s own error', prefixed, (a, b) => ({ content: [link(a), embedded(b)], isError: true })],
    [
      'a prompt',
      prompt,
      (a, b) => ({
        messages: [
          { role: 'user', content: link(a) },
          { role: 'assistant', content: embedded(b) },
        ],
      }),
    ],
    [
      'a resource',
      resource,
      (a, b) => ({
        contents: [
          { uri: a, text: 'x' },
          { uri: b, blob: 'eA==' },
        ],
      }),
    ],
  ])('in %s', (_, facts, resultWith) => {
    for (const uri of ['file:///etc/passwd', 'gw://other/x', 'docs+file:///a', 'acme+file:///a', 'https://docs.example/a?b#c']) {
      const result = shown(facts, resultWith(uri, 'x:y'))
      expect(result).toMatchObject(toJson(resultWith(`acme+${uri}`, 'acme+x:y')))
    }
  })

  it('in the result of a task, and in what a model is asked', () => {
    const task = { taskId: 't', createdAt: '', lastUpdatedAt: '', ttlMs: null }
    const done = shown({ ...prefixed, method: 'tasks/get' }, { ...task, status: 'completed', result: { content: [link('a:b')] } })
    expect(done).toMatchObject({ result: { content: [link('acme+a:b')] } })
    const messages = (uri: string) => [{ role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [embedded(uri)] } }]
    const sampling = (uri: string) => ({ q: { method: 'sampling/createMessage', params: { messages: messages(uri), maxTokens: 1 } } })
    const asking = validationOf().checkResult(answerOf(prefixed, { resultType: 'input_required', inputRequests: sampling('a:b') }))
    expect(asking.answer).toMatchObject({ inputRequests: sampling('acme+a:b') })
    expect(asking.answer).toMatchObject({ inputRequests: { q: { params: { systemPrompt: '[acme]' } } } })
    const waiting = shown({ ...prefixed, method: 'tasks/get' }, { ...task, status: 'input_required', inputRequests: sampling('a:b') })
    expect(waiting).toMatchObject({ inputRequests: sampling('acme+a:b') })
  })

  it('and nothing else of the text changes, to the digit', () => {
    const text = (uri: string) =>
      `"content":[ {"uri":"${uri}","type":"resource_link","name":"n","size":9007199254740993}], "structuredContent":{"id":1.10}`
    const answer = answerOf(prefixed, `{${text('file:///a')}}`)
    const checked = validationOf().checkResult(answer)
    expect(checked.answer).toMatchObject({ kind: 'result', text: { members: text('acme+file:///a') } })
    expect(checked).toEqual({ answer: expect.anything(), isError: false, withheld: undefined })
  })

  it('under the names of its upstream a text without rewritten links is the very same', () => {
    const answer = answerOf({ ...prefixed, uriPrefix: '' }, { content: [link('file:///a'), embedded('a:b')] })
    expect(validationOf().checkResult(answer).answer).toEqual(unchanged(answer))
    const without = answerOf(prefixed, { content: [{ type: 'text', text: 'x' }] })
    expect(validationOf().checkResult(without).answer).toEqual(unchanged(without))
  })

  it('whatever it is', () => {
    const scheme = fc
      .stringMatching(/^[a-z][a-z0-9+.-]{0,9}$/)
      .filter(name => !/^(?:javascript|vbscript|data|blob|about|filesystem)$/.test(name))
    fc.assert(
      fc.property(scheme, fc.webPath(), (name, path) => {
        const uri = `${name}:${path}`
        expect(shown(prefixed, { content: [link(uri), embedded(uri)] })).toEqual(
          toJson({ content: [link(`acme+${uri}`), embedded(`acme+${uri}`)] }),
        )
      }),
    )
  })
})

describe('A-101, A-103: links with a scheme that is not allowed are withheld, and counted', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'vbscript:x',
    'data:text/html,canary',
    'blob:https://x/canary',
    'about:blank',
    'filesystem:https://x/',
  ])('%s', uri => {
    for (const uriPrefix of ['', 'acme+']) {
      const checked = validationOf().checkResult(
        answerOf({ ...prefixed, uriPrefix }, { content: [link(uri), { type: 'text', text: 'kept' }, link(uri)] }),
      )
      expect(checked.linksWithheld).toBe(2)
      expect([checked.isError, checked.withheld]).toEqual([false, undefined])
      const { content } = shownBy(checked)
      expect(JSON.stringify(content).toLowerCase()).not.toContain(uri.toLowerCase())
      expect(content).toMatchObject([{ type: 'text' }, { type: 'text', text: 'kept' }, { type: 'text' }])
    }
  })

  it('by the operator’s list, where there is one', () => {
    const upstream = { linkSchemes: ['HTTPS', 'docs'] }
    const uris = ['https://a/', 'docs:a', 'http://a/', 'file:///a', 'mailto:a@b.c']
    const checked = validationOf(upstream).checkResult(answerOf(prefixed, { content: uris.map(link) }))
    expect(checked.linksWithheld).toBe(3)
    expect(shownBy(checked).content).toMatchObject([
      { uri: 'acme+https://a/' },
      { uri: 'acme+docs:a' },
      { type: 'text' },
      { type: 'text' },
      { type: 'text' },
    ])
  })

  it('by the hosts of the operator’s list, where there is one, as a browser reads them', () => {
    const upstream = { linkHosts: ['docs.example', 'acme.example:8443'] }
    const allowed = [
      'https://docs.example/a',
      'HTTPS://DOCS.example:443/a',
      'x-docs://Docs.Example/a',
      'https://acme.example:8443',
      'file:///a',
      'docs:a',
      'mailto:a@evil.example',
    ]
    const withheld = [
      'https://evil.example/',
      'https://docs.example.evil.example/',
      'https://acme.example/',
      'https:/evil.example/',
      'https:evil.example',
      'https:\\\\evil.example',
      'https://docs.example@evil.example/',
      'https://user@docs.example/',
      'https://docs.example:444/',
      'x-docs://evil.example/a',
      'file://evil.example/a',
      'https://',
    ]
    const uris = [...allowed, ...withheld]
    const checked = validationOf(upstream).checkResult(answerOf(prefixed, { content: uris.map(link) }))
    const shown = shownBy(checked).content as readonly { readonly uri?: string }[]
    expect(shown.flatMap(({ uri }) => uri ?? [])).toEqual(allowed.map(uri => `acme+${uri}`))
    expect(checked.linksWithheld).toBe(withheld.length)
    const both = validationOf({ ...upstream, linkSchemes: ['docs'] }).checkResult(answerOf(prefixed, { content: uris.map(link) }))
    expect(both.linksWithheld).toBe(uris.length - 1)
  })

  it('in prompts and in tasks too', () => {
    const inPrompt = validationOf().checkResult(answerOf(prompt, { messages: [{ role: 'user', content: link('javascript:x') }] }))
    expect(inPrompt.linksWithheld).toBe(1)
    const task = {
      taskId: 't',
      status: 'completed',
      createdAt: '',
      lastUpdatedAt: '',
      ttlMs: null,
      result: { content: [link('javascript:x')] },
    }
    expect(validationOf().checkResult(answerOf({ ...prefixed, method: 'tasks/get' }, task)).linksWithheld).toBe(1)
  })
})

describe('where there should be an address and is none', () => {
  it.each([undefined, 5, null, ['a:b'], {}])('%j: a tool’s result becomes a notice, for the tool ran', uri => {
    for (const block of [link(uri), embedded(uri)]) {
      const checked = validationOf().checkResult(answerOf(prefixed, { content: [block], structuredContent: { canary: 1 } }))
      expect([checked.isError, checked.withheld]).toEqual([true, 'VALIDATION_RESULT'])
      expect(JSON.stringify(shownBy(checked))).toContain('a link that is not well-formed')
      expect(JSON.stringify(shownBy(checked))).not.toContain('canary')
    }
  })

  it('a task’s likewise', () => {
    const task = { taskId: 't', status: 'completed', createdAt: '', lastUpdatedAt: '', ttlMs: null, result: { content: [link(5)] } }
    const checked = validationOf().checkResult(answerOf({ ...prefixed, method: 'tasks/get' }, task))
    expect(checked.withheld).toBe('VALIDATION_RESULT')
    expect(shownBy(checked)).toMatchObject({ taskId: 't', status: 'completed', result: { isError: true } })
  })

  it('a prompt is no answer', () => {
    const refusal = refusalOf(() => validationOf().checkResult(answerOf(prompt, { messages: [{ role: 'user', content: link(5) }] })))
    expect(refusal.code).toBe('UPSTREAM_INVALID')
  })
})
