import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts'
import { LADDER } from '../../src/pipeline/ladder.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Codes that no rung of a call refuses with, and why. */
const OFF_THE_LADDER: Partial<Record<ErrorCode, string>> = {
  VALIDATION_RESULT: 'a notice in place of a result: the call has run',
  LIMITS_LIST_EXCEEDED: 'for lists, discovery and what is asked in passing, before there is a target',
  LIMITS_STREAMS: 'for subscriptions, which have no target',
  HTTP_NOT_ACCEPTABLE: 'for subscriptions, whose only form is a stream',
  SESSION_EVENT_UNKNOWN: 'for streams that are resumed, which have no target',
  SESSION_STREAM_LOST: 'the end of a resumed stream: the call may have run',
  INTERNAL: 'a fault of ours, at any rung',
}

describe('every code of the catalogue', () => {
  it('belongs to a rung of the ladder, or it is said why not', () => {
    const onLadder = new Set(LADDER.flatMap(({ refuses }) => refuses))
    const homeless = CODES.filter(code => !onLadder.has(code) && OFF_THE_LADDER[code] === undefined)
    expect(homeless).toEqual([])
    expect(Object.keys(OFF_THE_LADDER).filter(code => onLadder.has(code as ErrorCode))).toEqual([])
  })

  it('is produced by a test', () => {
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.test.ts') && !file.endsWith('codes.test.ts'))
      .map(file => readFileSync(join('test', file), 'utf8'))
    const uncited = CODES.filter(code => !tests.some(text => text.includes(`'${code}'`)))
    expect(uncited).toEqual([])
  })
})
