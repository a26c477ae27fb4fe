import { describe, expect, test } from 'vitest'
import { compileReader } from '../../src/catalog/findings-meetings.ts'
import { readWords } from '../../src/catalog/findings-reading.ts'

function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  readWords(text, (word, position) => words.push(`${position} ${word}`))
  return words
}

describe('words are read as a model takes them', () => {
  test.each<[string, readonly string[]]>([
    ['Read it.', ['1 read', '2 it']],
    ['One. Two', ['1 one', '5 two']],
    ['a.txt', ['1 a', '2 txt', '2 .txt']],
    ['../b', ['1 b', '1 /b']],
    ['a ../b', ['1 a', '2 b', '2 /b']],
    ['line\nline\n\nline', ['1 line', '2 line', '2 \nline', '6 line', '6 \nline']],
    ['Don\u2019t', ['1 dont']],
    ['user\u2019s', ['1 users', "1 user's"]],
    ["users' own", ['1 users', "1 user's", '2 own']],
    ["'quoted'", ['1 quoted', "1 'quoted"]],
    ['sendAllKeys', ['1 send', '2 all', '3 keys', '3 sendallkeys']],
    ['OpenAI', ['1 open', '2 ai', '2 openai']],
    ['~/.ssh/id_rsa', ['1 ssh', '1 .ssh', '2 id', '2 /id', '3 rsa', '3 _rsa']],
    ['< system>', ['1 system', '1 <system', '1 system>', '1 <system>']],
    ['Assistant: yes', ['1 assistant', '1 assistant:', '2 yes']],
    ['| sh', ['1 sh', '1 |sh']],
    ['ign0re', ['1 ign0re', '1 ignore']],
    ['i g n o r e  it', ['1 i', '1 g', '1 n', '1 o', '1 r', '1 e', '1 ignore', '2 it']],
    ['ig\u200bno\u00adre\u0301', ['1 ignore']],
    ['réad іt ＮＯＷ 𝘄𝗲𝗹𝗹', ['1 read', '2 it', '3 now', '4 well']],
    ['漢字 and', ['1 and']],
    ['', []],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})

const ALL_RULES = {
  code: 'near',
  steps: [
    ['all', 0],
    ['all rules', 2],
  ],
} as const
const DROP_IT = {
  code: 'guarded',
  steps: [
    ['drop', 0],
    ['it', 1],
  ],
  unless: 'never',
} as const

test('each word is given with its place', () => {
  const places: string[] = []
  const text = ' ~/.ssh, openAI\u2026 it\u2019s s p e l t'
  readWords(text, (word, _, from, to) => places.push(`${word}=${text.slice(from, to)}`))
  expect(places).toEqual([
    'ssh=ssh',
    '.ssh=ssh',
    'open=open',
    'ai=AI',
    'openai=AI',
    'its=it\u2019s',
    "it's=it\u2019s",
    's=s',
    'p=p',
    'e=e',
    'l=l',
    't=t',
    'spelt=t',
  ])
})

describe('a phrase', () => {
  test.each<[string, readonly string[]]>([
    ['all rules', ['near']],
    ['all of rules', ['near']],
    ['all of the rules', []],
    ['all. Rules', []],
    ['all.rules', ['near']],
    ['rules all', []],
    ['all', []],
    ['all all', ['near']],
    ['all of it, all of them, all rules', ['near']],
    ['drop it', ['guarded']],
    ['never drop it', []],
    ['never ever drop it', []],
    ['never say: now drop it', ['guarded']],
  ])('%j: %j', (text, codes) => {
    expect([...compileReader<string>([ALL_RULES, DROP_IT])().read(text).keys()]).toEqual(codes)
  })

  test('does not begin in one text and end in the next', () => {
    const reader = compileReader<string>([ALL_RULES])()
    expect([...reader.read('all'), ...reader.read('rules')]).toEqual([])
    expect([...reader.read('of all the rules')]).toEqual([['near', [3, 16]]])
  })
})
