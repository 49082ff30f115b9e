// What a worker and its primary tell each other.

import type { NoPlace } from '../../http/subscriptions/open-subscriptions.ts'
import type { MetricValues } from '../../observe/metrics.ts'

/** What callers were charged: caller and RU. */
export type Charges = readonly (readonly [caller: string, cost: number])[]

/** How it is. */
export type LifeMessage =
  | { readonly kind: 'ready'; readonly address: string }
  /** It cannot start. */
  | { readonly kind: 'failed'; readonly why: string }
  /** It ends after its last requests. */
  | { readonly kind: 'failing'; readonly reason: string }

/** What it shares with the other workers. */
export type SharedMessage =
  /** It has written documents. */
  | { readonly kind: 'written' }
  | { readonly kind: 'charged'; readonly charges: Charges }
  /** It asks for a place for a subscription. */
  | { readonly kind: 'subscribe'; readonly id: number; readonly caller: string | undefined }
  | { readonly kind: 'unsubscribed'; readonly caller: string | undefined }
  /** It asks for the metrics of all. */
  | { readonly kind: 'collect'; readonly id: number }
  /** Its own metrics, for the question with this id; without one, its last. */
  | { readonly kind: 'metrics'; readonly id: number | undefined; readonly values: MetricValues }

export type FromWorker = LifeMessage | SharedMessage

export type ToWorker =
  | { readonly kind: 'shut-down'; readonly reason: string }
  | { readonly kind: 'retire' }
  /** It carries changes from now on, with leases of this owner; or no longer. */
  | { readonly kind: 'follow'; readonly owner: string | undefined }
  | { readonly kind: 'written' }
  | { readonly kind: 'charged'; readonly charges: Charges }
  | { readonly kind: 'place'; readonly id: number; readonly noPlace: NoPlace | undefined }
  /** Asks for its own metrics. */
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'collected'; readonly id: number; readonly all: readonly MetricValues[] }
