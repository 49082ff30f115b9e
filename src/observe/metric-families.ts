// Every metric with its labels and help text: to add one, add a line here, the line that updates it, and its row in
// docs/observability.md (a test compares them). Labels come only from the schema, the store and this code, never from a client.

import { Gauge, type Aggregator, type Registry } from 'prom-client'
import { CounterFamily, HistogramFamily } from './metric-series.ts'
import type { StoredState } from './stored-state.ts'

const seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What gauges read when Prometheus scrapes. */
export interface GaugeSources {
  /** How old snapshots can be at most. */
  readonly boundMs: () => number
  readonly deadLetters: () => number
  readonly partLagsMs: () => ReadonlyMap<string, number>
  /** How far the documents that lack something have been computed; undefined while nothing is. */
  readonly catchUp: () => StoredState['catchUp']
  /** The bytes of each cache. */
  readonly caches: () => { readonly operations: number; readonly rows: number; readonly parsed: number; readonly documents: number }
}

export type MetricFamilies = ReturnType<typeof createMetricFamilies>

export function createMetricFamilies(register: Registry, sources: GaugeSources) {
  const registers = [register]
  const counter = (name: string, help: string, labelNames: readonly string[] = []) => new CounterFamily({ name, help, labelNames }, register)
  const histogram = (name: string, help: string, bounds: readonly number[], labelNames: readonly string[] = []) => new HistogramFamily({ name, help, labelNames }, bounds, register)
  // Of several processes, gauges are added up, except those that every process reads from the store they share.
  const gauge = (name: string, help: string, read?: () => number, aggregator: Aggregator = 'sum') =>
    new Gauge({ name, help, registers, aggregator, ...(read ? { collect(this: Gauge) { this.set(read()) } } : {}) })

  return {
    operations: counter('quire_operations_total', 'Operations by outcome: ok, partial (data and errors), failed (only errors), or refused before they began (with type unknown). Every event of a subscription counts as one, once for all equal subscriptions that share it.', ['type', 'outcome']),
    operationSeconds: histogram('quire_operation_duration_seconds', 'Duration of operations, from the plan to the answer.', seconds, ['type']),
    operationWaves: histogram('quire_operation_waves', 'Waves per operation: round trips that run at the same time are one wave, so latency grows with waves.', [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20], ['type']),
    requestSeconds: histogram('quire_request_duration_seconds', 'Duration of HTTP requests by route: graphql, health, ready, metrics or other.', seconds, ['route', 'status']),
    errors: counter('quire_errors_total', 'Errors in answers by code; OTHER for codes beyond the first 100 and for invalid ones.', ['code']),
    roundTrips: counter('quire_round_trips_total', 'Round trips to the store, by source: operation, or feed for reading the change feed.', ['source', 'container', 'operation']),
    roundTripSeconds: histogram('quire_round_trip_duration_seconds', 'Duration of round trips.', seconds, ['source', 'operation']),
    roundTripKeys: histogram('quire_round_trip_keys', 'Batch size: keys per round trip, of round trips that read by key.', [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], ['source', 'operation']),
    requestCharge: counter('quire_request_charge_total', 'RU used, with basis measured (reported by the store) or estimated (by the cost model).', ['source', 'container', 'operation', 'basis']),
    tracedOperations: counter('quire_traced_operations_total', 'Operations with a cost report. Only for these is it known what naive execution would have cost.'),
    tracedRoundTrips: counter('quire_traced_round_trips_total', 'Round trips of traced operations: made, and what naive execution would have made. The difference was saved.', ['way']),
    tracedCharge: counter('quire_traced_request_charge_total', 'RU of traced operations: made, and what naive execution would have used (always estimated). The difference was saved.', ['way', 'basis']),
    resolved: counter('quire_relations_resolved_total', 'Resolved rows of each relation, from the snapshot (SNAPSHOT) or by lookup (REFERENCE).', ['field', 'from']),
    stalenessBound: gauge('quire_copies_staleness_bound_seconds', 'Max age of snapshots now: the lag of the change feed. 0 if snapshots are written in the same transaction as their source. +Inf while it cannot be proved.', () => sources.boundMs() / 1000, 'max'),
    deadLetters: gauge('quire_dead_letters', 'Dead letters: changes that could not be propagated and wait for a retry, counted up to 1,000.', sources.deadLetters, 'max'),
    partLags: new Gauge({ name: 'quire_feed_part_lag_seconds', help: 'How long ago each part of the change feed that this gateway follows was followed to its end. Gateways share the parts.', labelNames: ['part'], registers, aggregator: 'max', collect(this: Gauge<'part'>) { this.reset(); for (const [part, lagMs] of sources.partLagsMs()) this.set({ part }, lagMs / 1000) } }),
    catchUp: new Gauge({ name: 'quire_catch_up_documents', help: 'Documents that are looked at for new copied fields, lists and counts while Quire serves, by state: done or left. 0 when every document has them.', labelNames: ['state'], registers, aggregator: 'max', collect(this: Gauge<'state'>) { const { documents, total } = sources.catchUp() ?? { documents: 0, total: 0 }; this.set({ state: 'done' }, documents); this.set({ state: 'left' }, Math.max(0, total - documents)) } }),
    caches: new Gauge({ name: 'quire_cache_bytes', help: 'Estimated memory of each cache: operations (with their compiled plans), rows (serialized), parsed (GraphQL documents) and documents (read from SQLite).', labelNames: ['cache'], registers, collect(this: Gauge<'cache'>) { for (const [cache, bytes] of Object.entries(sources.caches())) this.set({ cache }, bytes) } }),
    propagatedChanges: counter('quire_propagated_changes_total', 'Changes that this gateway took from the feed: carried to their snapshots, or set_aside as dead letters.', ['outcome']),
    propagationSeconds: histogram('quire_propagation_batch_duration_seconds', 'Duration of propagating one batch of changes.', seconds),
    feedFailures: counter('quire_feed_failures_total', 'Failed reads of the change feed, each followed by a retry.'),
    loopHeld: histogram('quire_loop_held_seconds', 'Stretches of more than 50 ms in which the event loop did one thing and no other request was served, by the task that held it: query, mutation, subscription, feed or other.', [0.1, 0.25, 0.5, 1, 2.5, 5, 10], ['task']),
    subscriptionsOpen: gauge('quire_subscriptions_open', 'Open subscriptions.'),
  }
}
