import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTemplateMatcher, exposedUri, isUri, uriPrefixOf } from '../../src/mcp/index.ts'
import { expand, type Part, type Spec, textOf, type Value } from './expand-template.ts'
import vectors from './vectors/uri-template.json' with { type: 'json' }

const matches = (template: string, uri: string) => createTemplateMatcher(template)?.(uri)

const VALUES: Record<string, Value> = {
  ...vectors.strings,
  ...vectors.lists,
  keys: { pairs: Object.entries(vectors.maps.keys) },
}

/** The AST of a template that is known to be well-formed. */
function partsOf(template: string): readonly Part[] {
  return template.split(/(\{[^}]*\})/).flatMap((text): Part[] => {
    const [, operator, list] = /^\{([+#./;?&]?)(.*)\}$/.exec(text) ?? []
    if (operator === undefined || list === undefined) return text === '' ? [] : [text]
    const specs = list.split(',').map((spec): Spec => {
      const [, name = '', modifier = ''] = /^(\w+)(.*)$/.exec(spec) ?? []
      return { name, modifier: modifier as Spec['modifier'] }
    })
    return [{ operator, specs }]
  })
}

describe('the expansions of RFC 6570 [REQ-URI-TEMPLATE]', () => {
  it.each(vectors.expansions)('%s gives %s', (template, expansion) => {
    expect(expand(partsOf(template as string), VALUES)).toBe(expansion)
    expect(matches(template as string, expansion as string)).toBe(true)
    expect(matches(`docs+${template}`, `docs+${expansion}`)).toBe(true)
    expect(matches(`docs+${template}`, expansion as string)).toBe(false)
  })
})

describe('every expansion is known again', () => {
  const literal = fc.string({ unit: fc.constantFrom('a', '/', ':', '.', ',', '=', '?', '&', ';', '#', 'é', '%2F', "'"), maxLength: 4 })
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '/', ',', '=', '.', ';', '&', '?', '#', ' ', 'é', '😀', '%', '!', '-'),
    maxLength: 4,
  })
  const name = fc.constantFrom('x', 'y', 'z', 'long.name_1')
  const spec = fc.record({ name, modifier: fc.constantFrom<Spec['modifier']>('', '*', ':1', ':3', ':9999') })
  const expression = fc.record({
    operator: fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    specs: fc.array(spec, { minLength: 1, maxLength: 3 }),
  })
  const parts = fc.array(fc.oneof(literal, expression), { maxLength: 6 })
  const key = text.filter(found => found !== '')
  const map = fc.array(fc.tuple(key, text), { maxLength: 3 }).map(pairs => ({ pairs }))
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), map, fc.constant(undefined))
  const values = fc.record({ x: value, y: value, z: value, 'long.name_1': value })

  it('whatever the template and the values', () => {
    fc.assert(
      fc.property(parts, values, (template, known) => {
        // A length says nothing of lists and maps.
        const isPlain = template.every(
          part =>
            typeof part === 'string' ||
            part.specs.every(({ name: key, modifier }) => {
              const found = known[key as keyof typeof known]
              return !modifier.startsWith(':') || found === undefined || typeof found === 'string'
            }),
        )
        fc.pre(isPlain)
        expect(matches(textOf(template), expand(template, known))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('also as encodeURIComponent spells it, which is how the SDKs expand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), found => {
        expect(matches('file:///{path}/x', `file:///${encodeURIComponent(found)}/x`)).toBe(true)
      }),
    )
  })
})

describe('nothing else is: compared with all there is, in short', () => {
  const words = (alphabet: readonly string[], length: number): readonly string[] =>
    length === 0 ? [''] : ['', ...alphabet.flatMap(token => words(alphabet, length - 1).map(word => token + word))]
  const distinct = (texts: readonly string[]) => [...new Set(texts)]

  /** Lists of which the texts and what separates them take at most `length` characters; some operators omit a last equals sign. */
  function lists(items: readonly string[], length: number): readonly (readonly string[])[] {
    return items.flatMap(item => {
      const left = length - item.replace(/=$/, '').length - 1
      return left < -1 ? [] : [[item], ...(left < 0 ? [] : lists(items, left).map(list => [item, ...list]))]
    })
  }

  /** Every value over the alphabet of which an expansion can be as short as what is looked at. */
  function valuesOver(alphabet: readonly string[], length: number): readonly (Value | undefined)[] {
    const strings = distinct(words(alphabet, length))
    const flat = lists(strings, length)
    const pairs = lists(
      strings.flatMap(key => (key === '' ? [] : strings.map(value => `${key}=${value}`))),
      length,
    ).map(list => ({ pairs: list.map(pair => pair.split('=') as [string, string]) }))
    return [undefined, ...strings, ...flat, ...pairs]
  }

  function suited(values: readonly (Value | undefined)[], modifier: Spec['modifier']): readonly (Value | undefined)[] {
    return modifier.startsWith(':') ? values.filter(value => value === undefined || typeof value === 'string') : values
  }

  const ALL = ['a', 'x', '.', '/', '%2F', '%61', ',', '=', '&', ';', '?', '#']
  const UNIVERSE = distinct(words(ALL, 3))
  const PLAIN = valuesOver(['a', 'x', '.', '/'], 3)
  /** With these nothing is gained by lists: comma and equals sign stand in strings as well. */
  const WITH_RESERVED = [undefined, ...distinct(words(ALL, 3))]
  const valuesFor = (operator: string) => (operator === '+' || operator === '#' ? WITH_RESERVED : PLAIN)

  function check(parts: readonly Part[], produced: ReadonlySet<string>, universe: readonly string[]): void {
    const matcher = createTemplateMatcher(textOf(parts))
    expect(universe.filter(uri => matcher?.(uri) !== produced.has(uri))).toEqual([])
    expect(universe.some(uri => produced.has(uri))).toBe(true)
  }

  const SHORT = /^(?:%..|[^%]?)$/
  const OPERATORS = ['', '+', '#', '.', '/', ';', '?', '&']
  it.each(OPERATORS.flatMap(operator => (['', '*', ':1', ':2'] as const).map(modifier => [operator, modifier] as const)))(
    '{%sx%s}',
    (operator, modifier) => {
      const parts: readonly Part[] = [{ operator, specs: [{ name: 'x', modifier }] }]
      check(parts, new Set(suited(valuesFor(operator), modifier).map(x => expand(parts, { x }))), UNIVERSE)
    },
  )

  const NAMED = ['?', '&', ';'].flatMap(operator => (['', '*', ':1', ':2'] as const).map(modifier => [operator, modifier] as const))
  it.each(NAMED)('{%sx%s}, further on', (operator, modifier) => {
    const parts: readonly Part[] = [{ operator, specs: [{ name: 'x', modifier }] }]
    const separator = operator === '?' ? '&' : operator
    const universe = words(['a', 'x', '=', ',', separator], 5).map(word => operator + word)
    check(parts, new Set(suited(valuesOver(['a', 'x'], 5), modifier).map(x => expand(parts, { x }))), universe)
  })

  it.each(OPERATORS.flatMap(operator => (['', '*', ':1'] as const).map(modifier => [operator, modifier] as const)))(
    '{%sx:1,a%s}',
    (operator, modifier) => {
      const specs = [{ name: 'x', modifier: ':1' } as const, { name: 'a', modifier }]
      const parts: readonly Part[] = [{ operator, specs }]
      const values = suited(valuesFor(operator), modifier)
      const short = valuesFor(operator).filter(value => value === undefined || (typeof value === 'string' && SHORT.test(value)))
      check(parts, new Set(short.flatMap(x => values.map(a => expand(parts, { x, a })))), UNIVERSE)
    },
  )
})

describe('what could not have been expanded', () => {
  it.each([
    ['file:///{path}', 'file:///a/b'],
    ['file:///{path}', 'file:///a?b'],
    ['file:///{path}', 'file:///a#b'],
    ['file:///{path}', 'file:///a b'],
    ['file:///{path}', 'file:///é'],
    ['file:///{path}', 'file:///a%'],
    ['file:///{path}', 'file:///%2'],
    ['file:///{path}', 'file:///%2e%2e'],
    ['file:///{path}', 'file:///%41'],
    ['file:///{path}', 'file:///%ff'],
    ['file:///{path}', 'file:///%c0%ae'],
    ['file:///{path}', 'file:///%e0%80%af'],
    ['file:///{path}', 'file:///%ed%a0%80'],
    ['file:///{path}', 'file:///%f4%90%80%80'],
    ['file:///{path}', 'file:///%f0%80%80%80'],
    ['file:///{path}', 'file:///%f5%80%80%80'],
    ['file:///{path}', 'file:///%c3'],
    ['file:///{path}', 'file:///%c3x'],
    ['file:///{+path}', 'file:///a b'],
    ['file:///{+path}', 'file:///a\\b'],
    ['file:///{+path}', 'file:///%zz'],
    ['file:///{path:2}', 'file:///abc'],
    ['file:///{path:1}', 'file:///%C3%A9a'],
    ['file:///a/{x}/b', 'file:///a/x/b/'],
    ['file:///a/{x}/b', 'File:///a/x/b'],
    ['file:///é', 'file:///é'],
    ['file:///%C3%A9', 'file:///%c3%a9'],
    ['f:{?q}', 'f:?r=1'],
    ['f:{?q}', 'f:?q'],
    ['f:{?q}', 'f:?q=1&q=2'],
    ['f:{;q}', 'f:;q='],
    ['f:{/x*}', 'f:/a/b?c'],
    ['f:{x*}', 'f:a=b,c'],
    ['f:{.x*}', 'f:.a=b=c'],
    ['f:{?x*}', 'f:?=b'],
  ])('%s never gives %s', (template, uri) => {
    expect(matches(template, uri)).toBe(false)
  })

  it.each([
    ['file:///{path}', 'file:///'],
    ['file:///{path}', 'file:///..'],
    ['file:///{path}', 'file:///%E2%82%ac%F0%9F%98%80'],
    ['file:///{path:1}', 'file:///%C3%A9'],
    ['file:///{+path}', 'file:///%ff/%2e'],
    ['file:///é{x}', 'file:///%C3%A9x'],
    ["f:it's", "f:it's"],
    ['f:%C3{x}%A9', 'f:%C3%A9'],
    ['f:{%41}', 'f:x'],
    ['f:{;%41}', 'f:;%41=x'],
    ['', ''],
  ])('%s gives %s', (template, uri) => {
    expect(matches(template, uri)).toBe(true)
  })

  it('a simple variable crosses no border of a path, whatever stands beside it', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '.', '%2F', '/', '?', '#', ','), maxLength: 6 })
    fc.assert(
      fc.property(piece, found => {
        if (/[/?#]/.test(found)) expect(matches('f:/{x}/z{y}', `f:/${found}/z`)).toBe(false)
      }),
    )
  })
})

describe('templates that are none', () => {
  it.each([
    ['f:{'],
    ['f:{x'],
    ['f:}'],
    ['f:x}'],
    ['f:{{x}}'],
    ['f:{}'],
    ['f:{+}'],
    ['f:{x,}'],
    ['f:{,x}'],
    ['f:{=x}'],
    ['f:{|x}'],
    ['f:{!x}'],
    ['f:{@x}'],
    ['f:{x y}'],
    ['f:{ x}'],
    ['f:{x-y}'],
    ['f:{x..y}'],
    ['f:{.x.}'],
    ['f:{x:0}'],
    ['f:{x:01}'],
    ['f:{x:10000}'],
    ['f:{x:}'],
    ['f:{x:3*}'],
    ['f:{x*:3}'],
    ['f:{x**}'],
    ['f:{%4}'],
    ['f: {x}'],
    ['f:%2'],
    ['f:"x"'],
    ['f:<x>'],
    ['f:\\x'],
    ['f:^`|'],
    ['f:\u0007'],
    ['f:\u0085'],
    ['f:\ud800'],
    [`f:${'a'.repeat(2_047)}`],
    [`f:${'{x}'.repeat(33)}`],
    [`f:{${Array(65).fill('x').join(',')}}`],
  ])('%j', template => {
    expect(createTemplateMatcher(template)).toBeUndefined()
  })

  it.each([[`f:${'a'.repeat(2_046)}`], [`f:${'{x}'.repeat(32)}`], [`f:{${Array(64).fill('x').join(',')}}`]])('%j is one', template => {
    expect(createTemplateMatcher(template)).toBeTypeOf('function')
  })

  it('no text at all throws, and a match is a URI when the literals are', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('{', '}', '+', '%', 'x', '*', ':', '3', ','), fc.string({ minLength: 1, maxLength: 1 })),
    })
    fc.assert(
      fc.property(text, text, (template, uri) => {
        if (matches(`s:${template}`, `s:${uri}`) && !/#.*#/.test(uri)) expect(isUri(`s:${uri}`)).toBe(true)
      }),
    )
  })
})

it.each([
  ['many variables', `f:{${Array(64).fill('x').join(',')}}`, `f:${'a,'.repeat(4_000)}/`],
  ['many expressions', `f:${'{+x}a'.repeat(32)}`, `f:${'a'.repeat(8_000)}!{`],
  ['exploded ones', `f:${'{x*}{y*}'.repeat(16)}`, `f:${'a=a,'.repeat(2_000)}/`],
  ['cut ones', `f:${'{x:9999}'.repeat(32)}`, `f:${'a'.repeat(8_000)}/`],
  ['long literals', `f:{+x}${'a'.repeat(1_000)}{+x}${'a'.repeat(1_000)}b`, `f:${'a'.repeat(8_000)}`],
  ['ill-formed triplets', 'f:{x}', `f:${'%c3%ff'.repeat(1_300)}`],
])('a template with %s is held against the longest URI without end in sight only for us', (_, template, uri) => {
  const matcher = createTemplateMatcher(template)
  for (let round = 0; round < 5; round++) expect(matcher?.(uri)).toBe(false)
})

it('a URI longer than any that is read matches nothing', () => {
  expect(matches('f:{+x}', `f:${'a'.repeat(8_190)}`)).toBe(true)
  expect(matches('f:{+x}', `f:${'a'.repeat(8_191)}`)).toBe(false)
})

it('behind a prefix a template knows the URIs of its own upstream, and no others', () => {
  const template = exposedUri(uriPrefixOf('7zip'), 'file:///{path}')
  expect(matches(template, 'x.7zip+file:///a')).toBe(true)
  expect(matches(template, 'docs+file:///a')).toBe(false)
  expect(matches(template, 'file:///a')).toBe(false)
})
