// Charges callers for what their operations can cost at most, before the operations run.

import type { IncomingMessage } from 'node:http'
import { httpError } from '../../graphql-errors.ts'
import { requestState, type IncomingRequest } from '../../auth/request-state.ts'
import { callerOf } from './caller.ts'
import type { LoadLimits } from './load-limits.ts'
import { RateLimit } from './rate-limit.ts'
import type { SharedLimits } from '../shared-limits.ts'

/** Throws RATE_LIMITED for a caller without RU left. Undefined if there is no rate limit. */
export function createRateLimiter({ chargePerMinute, proxies }: LoadLimits, shared?: SharedLimits): ((request: IncomingRequest, message: IncomingMessage | undefined) => void) | undefined {
  if (chargePerMinute === undefined) return undefined
  const limit = new RateLimit({ chargePerMinute })
  shared?.onCharged((caller, cost) => limit.spend(caller, cost))
  return (request, message) => {
    const [caller, cost] = [callerOf(request, message, proxies), requestState(request).cost ?? 1]
    const waitMs = limit.take(caller, cost)
    if (waitMs === undefined) return shared?.charged(caller, cost)
    const seconds = Math.ceil(waitMs / 1000)
    throw httpError('RATE_LIMITED', `Rate limit exceeded: ${chargePerMinute} RU per minute. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
  }
}
