import { describe, expect, it } from 'vitest'
import { createAnswerRules, type JudgedUpstream } from '../../src/validation/answer-rules.ts'
import { checkUrlQuestion } from '../../src/validation/question-url.ts'
import { ACME, ASK_ANYTHING, refusedFor, toJson } from './support.ts'

const remote: JudgedUpstream = {
  ...ACME,
  questions: {
    ...ASK_ANYTHING,
    urlHosts: ['acme.example', 'login.example:8443', '127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'xn--bcher-kva.example'],
  },
}
const local: JudgedUpstream = { ...remote, url: 'http://127.0.0.1:3000/mcp' }

function reasonOf(
  url: unknown,
  { upstream = remote, ...more }: { upstream?: JudgedUpstream; [key: string]: unknown } = {},
): string | undefined {
  const params = toJson({ mode: 'url', message: 'Please enter your API key there', url, ...more })
  return refusedFor(() =>
    expect(checkUrlQuestion(params, createAnswerRules(upstream))).toEqual({ ...params, message: `[acme] ${params.message}` }),
  )
}

describe('A-111: a person is sent to a page of a host that the operator knows', () => {
  it.each([
    'https://acme.example/',
    'https://acme.example',
    'https://acme.example/connect?state=a%20b&x=[1]#top',
    'HTTPS://ACME.example/a',
    'https://acme.example:443/',
    'https://login.example:8443/a',
    'https://acme.example/https://evil.example/@x',
    `https://acme.example/${'x'.repeat(2_027)}`,
  ])('%s', url => {
    expect(reasonOf(url)).toBeUndefined()
  })

  it.each([
    ['http://acme.example/', 'url_scheme'],
    ['http://acme.example:80/', 'url_scheme'],
    ['http://127.0.0.1:3000/', 'url_scheme'],
    ['https://acme.example@evil.example/', 'url_user_info'],
    ['https://user:x@acme.example/', 'url_user_info'],
    ['https://@acme.example/', 'url_user_info'],
    ['https://evil.example/', 'url_host'],
    ['https://acme.example.evil.example/', 'url_host'],
    ['https://evilacme.example/', 'url_host'],
    ['https://www.acme.example/', 'url_host'],
    ['https://acme.example./', 'url_host'],
    ['https://acme.example:8443/', 'url_host'],
    ['https://login.example/', 'url_host'],
    ['https://xn--bcher-kva.example/', 'url_punycode'],
    ['https://b\u00fccher.example/', 'url'],
    ['https://acme.ex\u0430mple/', 'url'],
    ['https://acme.ex%61mple/', 'url_host_spelling'],
    ['https://acme%2eexample/', 'url_host_spelling'],
    ['https://0x7f.1/', 'url_host_spelling'],
    ['https://acme.example:0443/', 'url_host_spelling'],
    ['https:///acme.example/', 'url_host_spelling'],
    ['https:acme.example/', 'url'],
    ['//acme.example/', 'url'],
    ['acme.example', 'url'],
    ['https:\\\\acme.example/', 'url'],
    ['https://acme.example\\@evil.example/', 'url'],
    ['https://acme.example/a b', 'url'],
    [' https://acme.example/', 'url'],
    ['https://acme.example/"x', 'url'],
    ['https://acme.example/<x>', 'url'],
    ['javascript:alert(1)', 'url'],
    ['data:text/html,x', 'url'],
    ['file:///etc/passwd', 'url'],
    ['ftp://acme.example/', 'url'],
    ['https://', 'url'],
    ['', 'url'],
    [undefined, 'url'],
    [['https://acme.example/'], 'url'],
    [`https://acme.example/${'x'.repeat(2_028)}`, 'url'],
  ])('%j: %s', (url, reason) => {
    expect(reasonOf(url)).toBe(reason)
  })

  it.each(['\n', '\t', '\r', '\u0000', '\u00a0'])('nor with %j in it', character => {
    for (const url of [`https://acme.exa${character}mple/`, `https://acme.example/${character}`])
      expect(reasonOf(url)).toMatch(/^url$|^hidden_characters$/)
  })

  it('without TLS only on the machine that the upstream runs on', () => {
    for (const url of ['http://127.0.0.1:3000/a', 'http://localhost:3000/a', 'http://[::1]:3000/a', 'https://acme.example/']) {
      expect(reasonOf(url, { upstream: local })).toBeUndefined()
    }
    expect(reasonOf('http://acme.example/', { upstream: local })).toBe('url_scheme')
    expect(reasonOf('http://127.0.0.1:4000/', { upstream: local })).toBe('url_host')
  })

  it('with words that show all that they are, and no form besides', () => {
    expect(reasonOf('https://acme.example/', { message: 'Look\u200bhere' })).toBe('hidden_characters')
    expect(reasonOf('https://acme.example/', { message: undefined })).toBe('message')
    expect(reasonOf('https://acme.example/', { requestedSchema: { type: 'object', properties: {} } })).toBe('both_modes')
  })
})
