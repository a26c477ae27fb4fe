import { Refusal } from '../core/errors.ts'

/** What may be repeated of a version we do not know. */
const REPEATABLE = /^[0-9A-Za-z.-]{1,32}$/

/** What is served instead is for whoever answers to say: it differs from endpoint to endpoint. The record has what was asked for. */
export function versionUnsupported(requested: string | undefined): Refusal {
  const told = requested !== undefined && REPEATABLE.test(requested) ? { requested } : {}
  return new Refusal('MCP_VERSION_UNSUPPORTED', told, told)
}
