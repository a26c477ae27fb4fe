import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EverythingServer, startEverythingServer } from '../../conformance/everything-server.ts'
import { parseJsonText } from '../../src/core/json.ts'
import type { ApprovedItem, Call, ClientCapabilities, ItemKind, UpstreamAnswer } from '../../src/core/model.ts'
import {
  type AnswerTo,
  callHeaders,
  createEventParser,
  createParamHeaders,
  DISCOVER_HEADERS,
  type HeaderPair,
  LISTEN_HEADERS,
  listHeaders,
  parseCompletion,
  parseNews,
  parsePromptGet,
  parseResourceRead,
  parseResponse,
  parseTaskRequest,
  parseToolCall,
  relayNotification,
  rewriteUris,
  upstreamNameOf,
  writeCallRequest,
  writeDiscoverRequest,
  writeListenRequest,
  writeListRequest,
} from '../../src/mcp/index.ts'
import { metaDeclaring, NO_HEADERS, requestWith, TASKS } from './support.ts'

/** What we send, the official server answers, and what it answers we read. */

let server: EverythingServer
beforeAll(async () => {
  server = await startEverythingServer()
})
afterAll(() => server.close())

const post = (pairs: readonly HeaderPair[], body: string, signal?: AbortSignal) =>
  fetch(server.url, { method: 'POST', headers: pairs.map(pair => [...pair] as [string, string]), body, ...(signal && { signal }) })

/** All JSON-RPC messages of an answer, in whichever of the two forms it comes. */
async function messagesOf(response: Response): Promise<string[]> {
  const text = await response.text()
  if (response.headers.get('content-type') === 'application/json') return [text]
  const messages: string[] = []
  createEventParser({ maxBytes: 1_000_000, onMessage: data => messages.push(data) }).feed(new TextEncoder().encode(text))
  return messages
}

async function finalOf(response: Response, id: number, answerTo: AnswerTo): Promise<UpstreamAnswer> {
  const last = parseResponse(parseJsonText((await messagesOf(response)).at(-1) ?? ''), id, answerTo)
  if (last.kind === 'notification') throw new Error('no final response')
  return last
}

const itemOf = (kind: ItemKind, upstreamName: string) =>
  ({ kind, upstreamName, uriPrefix: 'all+', alias: 'all' }) as unknown as ApprovedItem
const meta = metaDeclaring()
const ABLE: ClientCapabilities = metaDeclaring({ ...TASKS, elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }).capabilities
let lastId = 0

async function send(call: Call, item: ApprovedItem, innerState?: string): Promise<UpstreamAnswer> {
  lastId += 1
  const body = writeCallRequest({ id: lastId, call, item, capabilities: ABLE, progressToken: undefined, innerState })
  return finalOf(await post(callHeaders(call.method, upstreamNameOf(item, call)), body), lastId, call.method)
}

const tool = (name: string, more = '') => parseToolCall(requestWith('tools/call', `"name":"all__${name}"${more}`), meta, NO_HEADERS)
const callTool = (name: string, more = '', innerState?: string) => send(tool(name, more), itemOf('tool', name), innerState)

describe('the official server answers', () => {
  it('a call, with progress and log messages on the way to those who asked', async () => {
    const call = { ...tool('test_tool_with_progress'), meta: { ...meta, logLevel: 'info' as const } }
    const item = itemOf('tool', 'test_tool_with_progress')
    const body = writeCallRequest({ id: 900, call, item, capabilities: ABLE, progressToken: 900, innerState: undefined })
    const messages = await messagesOf(await post(callHeaders('tools/call', item.upstreamName), body))
    const scope = { upstreamToken: 900, callerToken: 'theirs', logLevel: 'info' as const }
    const relayed = messages.slice(0, -1).map(text => {
      const message = parseResponse(parseJsonText(text), 900, 'tools/call')
      if (message.kind !== 'notification') throw new Error('not a notification')
      return JSON.parse(relayNotification(message, scope) ?? '')
    })
    expect(relayed.map(({ params }) => [params.progressToken, params.progress])).toEqual([0, 50, 100].map(at => ['theirs', at]))
    expect(parseResponse(parseJsonText(messages.at(-1) ?? ''), 900, 'tools/call')).toMatchObject({ kind: 'result' })
  })

  it.each(['{}', '{"region":"Zürich","level":-7}', '{ "region" : " padded ", "level":42.0 }', '{"region":null}', '{"region":""}'])(
    'a call with mirrored arguments: %s',
    async argumentsText => {
      const call = tool('test_x_mcp_header', `,"arguments":${argumentsText}`)
      const item = itemOf('tool', 'test_x_mcp_header')
      const mirrored = createParamHeaders([{ name: 'Region', path: ['region'], type: 'string' }], call.arguments)
      const body = writeCallRequest({ id: 901, call, item, capabilities: ABLE, progressToken: undefined, innerState: undefined })
      const response = await post([...callHeaders('tools/call', item.upstreamName), ...mirrored], body)
      expect(response.status).toBe(200)
      // `null` is not of the schema's type: the tool says so, which is an answer.
      expect(await finalOf(response, 901, 'tools/call')).toMatchObject({ kind: 'result' })
    },
  )

  it('a prompt, a read through a template, a completion', async () => {
    const prompt = parsePromptGet(
      requestWith('prompts/get', '"name":"all__test_prompt_with_embedded_resource","arguments":{"resourceUri":"file:///x y"}'),
      meta,
      NO_HEADERS,
    )
    const got = await send(prompt, itemOf('prompt', 'test_prompt_with_embedded_resource'))
    if (got.kind !== 'result') throw new Error('no result')
    const { text, rewritten } = rewriteUris(got.text, got.result, 'prompts/get', 'all+', () => true)
    expect(rewritten).toBe(1)
    expect(JSON.parse(`{${text.members}}`).messages[0].content.resource.uri).toBe('all+file:///x y')

    const read = parseResourceRead(requestWith('resources/read', '"uri":"all+test://template/7/data"'), meta, NO_HEADERS)
    const contents = await send(read, itemOf('resourceTemplate', 'test://template/{id}/data'))
    expect(contents).toMatchObject({ kind: 'result', result: { contents: [{ uri: 'test://template/7/data' }] } })

    const params = '"ref":{"type":"ref/prompt","name":"all__test_prompt_with_arguments"},"argument":{"name":"arg1","value":"par"}'
    const { call } = parseCompletion(requestWith('completion/complete', params), meta, NO_HEADERS)
    const completed = await send(call, itemOf('prompt', 'test_prompt_with_arguments'))
    expect(completed).toMatchObject({ kind: 'result', result: { completion: { values: ['park', 'party'] } } })
  })

  it('B15 a read that may be kept is kept by its reader alone', async () => {
    const read = parseResourceRead(requestWith('resources/read', '"uri":"all+test://static-text"'), meta, NO_HEADERS)
    const answer = await send(read, itemOf('resource', 'test://static-text'))
    expect(answer).toMatchObject({ kind: 'result', result: { cacheScope: 'public' } })
    expect(answer.kind === 'result' && JSON.parse(`{${answer.text.members}}`)).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' })
  })

  it('a read of nothing, with the URI it was asked for', async () => {
    const read = parseResourceRead(requestWith('resources/read', '"uri":"all+test://nothing"'), meta, NO_HEADERS)
    expect(await send(read, itemOf('resource', 'test://nothing'))).toMatchObject({ kind: 'error', code: -32602 })
  })

  it('questions, one after the other, with the states it gave', async () => {
    const name = 'test_input_required_result_multi_round'
    const first = await callTool(name)
    if (first.kind !== 'input_required') throw new Error('no questions')
    expect(first.inputRequests).toMatchObject({ step1: { method: 'elicitation/create' } })
    const answers = ',"inputResponses":{"step1":{"action":"accept","content":{"name":"Ada"}}},"requestState":"sealed"'
    const second = await callTool(name, answers, first.requestState)
    if (second.kind !== 'input_required') throw new Error('no further questions')
    const more = ',"inputResponses":{"step2":{"action":"accept","content":{"color":"blue"}}},"requestState":"sealed"'
    const third = await callTool(name, more, second.requestState)
    expect(third).toMatchObject({ kind: 'result', result: { content: [{ text: 'Ada likes blue.' }] } })
  })

  it('what it lacks, when we declare nothing', async () => {
    const call = tool('test_missing_capability')
    const item = itemOf('tool', 'test_missing_capability')
    const { capabilities } = metaDeclaring()
    const body = writeCallRequest({ id: 902, call, item, capabilities, progressToken: undefined, innerState: undefined })
    const answer = await finalOf(await post(callHeaders('tools/call', item.upstreamName), body), 902, 'tools/call')
    expect(answer).toMatchObject({ kind: 'error', code: -32021, ran: false, requiredCapabilities: { sampling: {} } })
  })

  it('a task, from its beginning to its end', async () => {
    const created = await callTool('confirm_delete', ',"arguments":{"filename":"a"}')
    if (created.kind !== 'task') throw new Error('no task')
    const upstreamId = String(created.task.taskId)
    const follow = (method: string, more = '') => {
      const call = parseTaskRequest(requestWith(method, `"taskId":"sealed"${more}`), metaDeclaring(TASKS), NO_HEADERS)
      return send({ ...call, task: { sealedId: 'sealed', upstreamId } }, itemOf('tool', 'confirm_delete'))
    }
    expect(await follow('tasks/get')).toMatchObject({ kind: 'result', result: { status: 'input_required', taskId: upstreamId } })
    const answers = ',"inputResponses":{"sure":{"action":"accept","content":{"confirm":true}}}'
    expect(await follow('tasks/update', answers)).toMatchObject({ kind: 'result' })
    expect(await follow('tasks/get')).toMatchObject({ result: { status: 'completed', result: { content: [{ text: 'deleted a' }] } } })
    expect(await follow('tasks/cancel')).toMatchObject({ kind: 'result' })
  })

  it('every list, and discovery', async () => {
    for (const [kind, member] of [
      ['tool', 'tools'],
      ['prompt', 'prompts'],
      ['resource', 'resources'],
      ['resourceTemplate', 'resourceTemplates'],
    ] as const) {
      const response = await post(listHeaders(kind), writeListRequest({ id: 1, kind, cursor: undefined }))
      const answer = await finalOf(response, 1, 'list')
      expect(answer).toMatchObject({ kind: 'result', result: { [member]: expect.any(Array) } })
    }
    const discovered = await finalOf(await post(DISCOVER_HEADERS, writeDiscoverRequest({ id: 2 })), 2, 'discover')
    expect(discovered).toMatchObject({ kind: 'result', result: { supportedVersions: ['2026-07-28'] } })
  })

  it('a subscription: first the acknowledgment, then the news', async () => {
    const filter = { tools: true, prompts: true, resources: true, uris: ['test://static-text'], taskIds: [] }
    const leave = new AbortController()
    const response = await post(LISTEN_HEADERS, writeListenRequest({ id: 77, filter }), leave.signal)
    const heard: unknown[] = []
    const parser = createEventParser({ maxBytes: 10_000, onMessage: data => heard.push(parseNews(parseJsonText(data), 77)) })
    const reader = response.body?.getReader()
    const read = async () => parser.feed((await reader?.read())?.value ?? new Uint8Array())
    while (heard.length < 1) await read()
    await callTool('test_trigger_tool_change')
    while (heard.length < 2) await read()
    expect(heard).toEqual(['acknowledged', { kind: 'list_changed', list: 'tools' }])
    leave.abort()
  })
})
