// Every figure that is counted, with its labels and its meaning. Labels hold only what the schema, the
// store and this code can say: nothing that a client sends becomes one. docs/observability.md has the
// same table, and a test keeps it so.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is true now is asked for when someone looks. */
export interface Now {
  /** How old copies can be at most. */
  readonly boundMs: () => number
  readonly deadLetters: () => number
  /** What is kept in memory to be quicker, by what it is, in bytes. */
  readonly caches: () => { readonly operations: number; readonly rows: number; readonly answers: number; readonly documents: number }
}

export type MetricFamilies = ReturnType<typeof createMetricFamilies>

export function createMetricFamilies(register: Registry, now: Now) {
  const registers = [register]
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) => new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string = never>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) => new Histogram({ name, help, buckets, labelNames, registers })
  const gauge = (name: string, help: string, read?: () => number) =>
    new Gauge({ name, help, registers, ...(read ? { collect(this: Gauge) { this.set(read()) } } : {}) })

  return {
    operations: counter('quire_operations_total', 'Operations by how they ended: ok, partial (data and errors), failed (errors alone), or refused before they began, when their type is unknown. Every event of a subscription is one.', ['type', 'outcome']),
    operationSeconds: histogram('quire_operation_duration_seconds', 'How long operations took, from the plan to the answer.', seconds, ['type']),
    operationWaves: histogram('quire_operation_waves', 'Waves of round trips per operation: what latency feels.', [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20], ['type']),
    requestSeconds: histogram('quire_request_duration_seconds', 'How long HTTP requests took, by where they went: graphql, health, ready, metrics or other.', seconds, ['route', 'status']),
    errors: counter('quire_errors_total', 'Errors in answers by code; OTHER stands for what is no usual code.', ['code']),
    roundTrips: counter('quire_round_trips_total', 'Round trips to the store, made for operations or for following the change feed.', ['source', 'container', 'operation']),
    roundTripSeconds: histogram('quire_round_trip_duration_seconds', 'How long round trips took.', seconds, ['source', 'operation']),
    roundTripKeys: histogram('quire_round_trip_keys', 'Batch sizes: keys per round trip, of those that ask by key.', [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], ['source', 'operation']),
    requestCharge: counter('quire_request_charge_total', 'Request charge made, in request units, measured by the store or estimated by the cost model.', ['source', 'container', 'operation', 'basis']),
    tracedOperations: counter('quire_traced_operations_total', 'Operations that kept an account. Only of those it is known what the naive way would have made.'),
    tracedRoundTrips: counter('quire_traced_round_trips_total', 'Round trips of traced operations, made and as the naive way would have made them. The difference was saved.', ['way']),
    tracedCharge: counter('quire_traced_request_charge_total', 'Request charge of traced operations, made and as the naive way would have made it, which is always an estimate. The difference was saved.', ['way', 'basis']),
    resolved: counter('quire_relations_resolved_total', 'Rows of each relation, by whether a copy answered (SNAPSHOT) or a lookup did (REFERENCE).', ['field', 'from']),
    stalenessBound: gauge('quire_copies_staleness_bound_seconds', 'How old copies can be at most, now: the lag of the change feed. 0 where copies are written together with what they copy.', () => now.boundMs() / 1000),
    deadLetters: gauge('quire_dead_letters', 'Changes that could not be propagated and wait to be retried, up to 1,000.', now.deadLetters),
    caches: new Gauge({ name: 'quire_cache_bytes', help: 'Memory taken by caches, as far as it can be told: operations with their compiled plans, rows that were written before, answers that are given again while they are true, and documents read from SQLite.', labelNames: ['cache'], registers, collect(this: Gauge<'cache'>) { for (const [cache, bytes] of Object.entries(now.caches())) this.set({ cache }, bytes) } }),
    propagatedChanges: counter('quire_propagated_changes_total', 'Changes taken from the feed by this gateway, carried to their copies or set_aside as dead letters.', ['outcome']),
    propagationSeconds: histogram('quire_propagation_batch_duration_seconds', 'How long batches of changes took to be carried to their copies.', seconds),
    feedFailures: counter('quire_feed_failures_total', 'How often the change feed could not be followed and had to be tried again.'),
    subscriptionsOpen: gauge('quire_subscriptions_open', 'Subscriptions that are being told of events.'),
  }
}
