// Limits that hold for several gateways together, as each of them sees it: what it tells the others, and what it asks. The
// processes behind one port share them (serve/workers/); a gateway alone has none of this.

import type { SubscriptionPlaces } from './subscriptions/open-subscriptions.ts'

export interface SharedLimits {
  readonly subscriptions: SubscriptionPlaces
  /** An operation was charged to a caller here. */
  charged(caller: string, cost: number): void
  /** Calls whenever one was charged elsewhere. A caller's bucket may go below zero, so that late news only delays its next operation. */
  onCharged(spend: (caller: string, cost: number) => void): void
}
