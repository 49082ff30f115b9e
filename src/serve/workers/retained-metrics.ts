// The latest metrics of each worker. What a worker has counted is kept when it ends, as it was last told: counters that fell
// would look like a restart of the whole, and Prometheus would count everything before it twice.

import { AggregatorRegistry } from 'prom-client'
import type { MetricValues } from '../../observe/metrics.ts'

export class RetainedMetrics<Worker> {
  readonly #latest = new Map<Worker, MetricValues>()
  #ended: MetricValues[] = []

  set(worker: Worker, values: MetricValues): void {
    this.#latest.set(worker, values)
  }

  /** The worker has ended: its counts stay, and its gauges go. */
  end(worker: Worker): void {
    const counts = this.#latest.get(worker)?.filter(({ type }) => counting.has(String(type)))
    this.#latest.delete(worker)
    if (counts) this.#ended.push(counts)
  }

  /** Those of the workers that live, and the sum of those that have ended. */
  async all(): Promise<readonly MetricValues[]> {
    if (this.#ended.length > 1) this.#ended = [await AggregatorRegistry.aggregate(this.#ended).getMetricsAsJSON()]
    return [...this.#latest.values(), ...this.#ended]
  }
}

/** The types as prom-client gives them; its declaration has numbers. */
const counting: ReadonlySet<string> = new Set(['counter', 'histogram'])
