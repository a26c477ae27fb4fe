import type { Audit } from '../audit/index.ts'
import type { Auth } from '../auth/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Configuration } from '../core/configuration.ts'
import type { Idempotency } from '../idempotency/index.ts'
import type { Limits } from '../limits/index.ts'
import type { Policy } from '../policy/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { State } from '../state/index.ts'
import type { Subscriptions } from '../subscriptions/index.ts'
import type { Upstream } from '../upstream/index.ts'
import type { Validation } from '../validation/index.ts'

/** Everything a request can meet, as one policy revision furnished it. A request keeps the set it entered with. */
export interface Rooms {
  readonly configuration: Configuration
  readonly auth: Auth
  readonly catalog: Catalog
  readonly policy: Policy
  readonly validation: Validation
  readonly state: State
  readonly sessions: Sessions
  readonly limits: Limits
  readonly idempotency: Idempotency
  readonly upstream: Upstream
  readonly subscriptions: Subscriptions
  readonly audit: Audit
}
