import type { ApprovedItem } from '../core/model.ts'
import type { Admitted } from './enter.ts'

/** What a caller's name stands for, if a person approved it; the same question for every method that has a target. */
export function find(
  { rooms, endpoint, principal, trace }: Admitted,
  kind: 'tool' | 'prompt' | 'resource',
  name: string,
): ApprovedItem | Promise<ApprovedItem> {
  return trace.step('catalog', () =>
    rooms.catalog.resolve(endpoint, kind, name, principal, item => rooms.policy.visible(principal, [item]).length > 0),
  )
}
