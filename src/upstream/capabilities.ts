import type { UpstreamConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { ClientCapabilities, UpstreamError } from '../core/model.ts'
import { commonCapabilities, parseCapabilities } from '../mcp/index.ts'

/** What one upstream may know of what its callers can do. */
export interface CapabilityGate {
  /** Of what a caller declares, what this upstream may use. */
  cut(declared: ClientCapabilities): ClientCapabilities
  /**
   * The refusal for an upstream's -32021, where the caller could declare what it lacks and policy would let all of it through; `undefined`
   * for anything else, about which a caller can do nothing.
   */
  missing(error: UpstreamError, declared: ClientCapabilities): Refusal | undefined
}

const ALL: readonly (keyof ClientCapabilities)[] = ['form', 'url', 'sampling', 'samplingTools', 'samplingContext', 'roots', 'tasks']

export function createCapabilityGate({ questions, allowTasks }: UpstreamConfig): CapabilityGate {
  const { form, url, sampling, roots } = questions
  const allowed: ClientCapabilities = {
    form,
    url,
    sampling,
    samplingTools: sampling,
    samplingContext: sampling,
    roots,
    tasks: allowTasks,
  }
  const cut = (declared: ClientCapabilities): ClientCapabilities => commonCapabilities(declared, allowed)

  return {
    cut,
    missing({ requiredCapabilities }, declared) {
      if (requiredCapabilities === undefined) return undefined
      const required = parseCapabilities(requiredCapabilities)
      const known = cut(declared)
      const lacking = ALL.filter(capability => required[capability] && !known[capability])
      if (lacking.length === 0 || !lacking.every(capability => allowed[capability])) return undefined
      return new Refusal('MCP_CAPABILITY_MISSING', { notProcessed: true, requiredCapabilities })
    },
  }
}
