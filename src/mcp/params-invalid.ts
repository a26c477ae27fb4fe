import { Refusal } from '../core/errors.ts'

/** `reason`: the member of `params` that is wrong, or one word of ours; `key`: where inside it. Never what stands there. */
export function paramsInvalid(reason: string, key?: string): Refusal {
  return new Refusal('MCP_PARAMS_INVALID', {}, key === undefined ? { reason } : { reason, key })
}
