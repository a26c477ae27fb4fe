import { z } from 'zod'
import { parseDuration } from '../duration.ts'
import { POINTER } from '../pointer.ts'

export const aliasSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$/, 'an alias is 1 to 16 of a-z, 0-9 and inner hyphens')
  .describe('Our own, stable name of an upstream: 1 to 16 of a-z, 0-9 and inner hyphens. The prefix of its tools.')

/** RFC 6749 §3.3. */
export const scopeSchema = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'a scope has no spaces, quotes or backslashes')

export const pointerSchema = pointerOr('a JSON Pointer begins with "/"; "~" is written "~0" and "/" inside a name "~1"')

/** Where a pointer is one of several things, `problem` names them all. */
export function pointerOr(problem: string) {
  return z.string().regex(POINTER, problem).describe('JSON Pointer (RFC 6901), for example /repo or /items/0/id.')
}

const DURATION_FORM = 'a duration is a whole number and a unit: 500ms, 30s, 1m, 24h, 7d'

export const durationSchema = z
  .string(DURATION_FORM)
  .regex(/^[1-9][0-9]{0,8}(ms|s|m|h|d)$/, { message: DURATION_FORM, abort: true })
  .refine(text => parseDuration(text) !== undefined, 'a duration is at most 366 days')

const HOST_FORM = 'a host is lower case, with a port where one is used'

export const hostSchema = z
  .string()
  .regex(/^[a-z0-9.-]+(:[0-9]{1,5})?$|^\[[0-9a-f:.]+\](:[0-9]{1,5})?$/, { message: HOST_FORM, abort: true })
  .refine(text => URL.canParse(`https://${text}`), HOST_FORM)

export function countSchema(maximum: number) {
  return z.int().min(1).max(maximum)
}

/** RFC 9110 §5.6.2 token. */
export function headerNameSchema(problem: (name: string) => string | undefined) {
  return textSchema(name => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name) ? problem(name) : 'this is not a header name'))
}

/** Visible ASCII and inner spaces: no line break can be smuggled in. */
export const headerValueSchema = z
  .string()
  .min(1)
  .max(16_384)
  .refine(
    text => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text),
    'a header value is visible ASCII without line breaks or outer spaces',
  )

export const versionSchema = z.literal(1, 'the version of this format is 1').describe('Version of this file format.')

/** Text for which `problem` finds nothing to say. */
export function textSchema(problem: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = problem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}
