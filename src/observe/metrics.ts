// Updates the metrics when operations, requests and batches of the change feed end. `metric-families.ts` defines the metrics;
// who may see them is decided elsewhere.

import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { GraphQLError } from 'graphql'
import { codeOf } from '../graphql-errors.ts'
import { waveCount } from '../read/call-log.ts'
import type { Receipt, Supports } from '../store/store.ts'
import type { CounterSeries, HistogramSeries } from './metric-series.ts'
import { createMetricFamilies, type MetricFamilies, type GaugeSources } from './metric-families.ts'
import type { Observer, OperationEnd, OperationHooks, PropagatedBatch, Refusal } from './observers.ts'
import { pathOf, requestState, routeOf, type IncomingRequest } from '../auth/request-state.ts'

const routes = new Set(['graphql', 'health', 'ready', 'metrics'])

/** More codes than any schema has. All further ones are counted as OTHER. */
const maxCodes = 100

/** The values of all metrics of one process, as prom-client gives and adds them up. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The metrics of several processes, as one of them sees it. */
export interface MetricsOfAll {
  /** Registers how to read those of this process. */
  offer(own: () => Promise<MetricValues>): void
  /** Those of every process, this one included. */
  collect(): Promise<readonly MetricValues[]>
}

export class Metrics implements Observer {
  readonly families: MetricFamilies
  readonly registry = new Registry()
  readonly #basis: Supports['charges']
  readonly #ofAll: MetricsOfAll | undefined
  readonly #codes = new Set<string>()
  readonly #hooks: OperationHooks = { end: (ended) => this.#end(ended) }
  // An operation updates a dozen series. Those that are updated together are found together, by one lookup.
  readonly #ofOperations = new Map<string, OperationSeries>()
  readonly #ofRoundTrips = { operation: new Map<string, RoundTripSeries[]>(), feed: new Map<string, RoundTripSeries[]>() }
  #lastAnswer: { readonly path: string; readonly status: number; readonly seconds: HistogramSeries } | undefined

  constructor(basis: Supports['charges'], sources: GaugeSources, ofAll?: MetricsOfAll) {
    this.#basis = basis
    this.#ofAll = ofAll
    this.families = createMetricFamilies(this.registry, sources)
    ofAll?.offer(() => this.#own().getMetricsAsJSON())
  }

  /** All metrics in Prometheus's text format. */
  async text(): Promise<string> {
    const all = this.#ofAll ? AggregatorRegistry.aggregate([...(await this.#ofAll.collect())]) : this.#own()
    return all.metrics()
  }

  begin(): OperationHooks {
    return this.#hooks
  }

  refuse({ errors }: Refusal): void {
    this.families.operations.with('unknown', 'refused').value++
    this.#countErrors(errors)
  }

  /** A request was answered, to whatever path. */
  answered(request: IncomingRequest, status: number): void {
    const path = pathOf(request)
    const last = this.#lastAnswer
    if (!last || path !== last.path || status !== last.status) {
      const route = routeOf(path)
      this.#lastAnswer = { path, status, seconds: this.families.requestSeconds.with(routes.has(route) ? route : 'other', String(status)) }
    }
    this.#lastAnswer!.seconds.observe((performance.now() - requestState(request).startMs) / 1000)
  }

  follow(receipt: Receipt): void {
    this.#roundTrip('feed', receipt)
  }

  propagate({ changes, setAside, durationMs }: PropagatedBatch): void {
    this.families.propagatedChanges.with('carried').value += changes - setAside
    this.families.propagatedChanges.with('set_aside').value += setAside
    this.families.propagationSeconds.with().observe(durationMs / 1000)
  }

  feedFailed(): void {
    this.families.feedFailures.with().value++
  }

  #own(): Registry {
    return Registry.merge([this.registry, processRegistry()])
  }

  #end({ type, rows, calls, errors, answered, durationMs, costReport }: OperationEnd): void {
    const { operations, resolved } = this.families
    const { ok, seconds, waves } = this.#operationSeries(type)
    if (errors.length === 0) ok().value++
    else operations.with(type, answered ? 'partial' : 'failed').value++
    seconds.observe(durationMs / 1000)
    waves.observe(waveCount(calls))
    for (const call of calls) this.#roundTrip('operation', call)
    this.#countErrors(errors)
    for (const { field, from, count } of rows()) resolved.with(field, from).value += count
    if (costReport) this.#trace(costReport)
  }

  #countErrors(errors: readonly GraphQLError[]): void {
    for (const error of errors) this.families.errors.with(this.#codeLabel(codeOf(error))).value++
  }

  #operationSeries(type: string): OperationSeries {
    let series = this.#ofOperations.get(type)
    if (!series) {
      const { operations, operationSeconds, operationWaves } = this.families
      let ok: CounterSeries | undefined
      series = { ok: () => (ok ??= operations.with(type, 'ok')), seconds: operationSeconds.with(type), waves: operationWaves.with(type) }
      this.#ofOperations.set(type, series)
    }
    return series
  }

  #roundTrip(source: 'operation' | 'feed', { operation, container, keys, durationMs, requestCharge }: Receipt): void {
    const { trips, seconds, charge } = this.#roundTripSeries(source, operation, container)
    trips.value++
    seconds.observe(durationMs / 1000)
    if (keys > 0) this.families.roundTripKeys.with(source, operation).observe(keys)
    charge.value += requestCharge
  }

  #roundTripSeries(source: 'operation' | 'feed', operation: string, container: string): RoundTripSeries {
    // A transaction can reach several containers, and which ones depends on the documents.
    const where = container.includes(', ') ? 'several' : container
    let all = this.#ofRoundTrips[source].get(where)
    if (!all) this.#ofRoundTrips[source].set(where, (all = []))
    let series = all.find((each) => each.operation === operation)
    if (!series) {
      const { roundTrips, roundTripSeconds, requestCharge } = this.families
      all.push((series = { operation, trips: roundTrips.with(source, where, operation), seconds: roundTripSeconds.with(source, operation), charge: requestCharge.with(source, where, operation, this.#basis) }))
    }
    return series
  }

  #trace({ made, naive }: NonNullable<OperationEnd['costReport']>): void {
    const { tracedOperations, tracedRoundTrips, tracedCharge } = this.families
    tracedOperations.with().value++
    tracedRoundTrips.with('made').value += made.roundTrips
    tracedRoundTrips.with('naive').value += naive.roundTrips
    tracedCharge.with('made', this.#basis).value += made.requestCharge
    tracedCharge.with('naive', 'estimated').value += naive.requestCharge
  }

  /** Resolvers may throw any code, but the number of labels has to stay bounded. */
  #codeLabel(code: string): string {
    if (this.#codes.has(code)) return code
    if (this.#codes.size >= maxCodes || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return 'OTHER'
    this.#codes.add(code)
    return code
  }
}

/** What every operation of a type updates. */
interface OperationSeries {
  /** Not printed before an operation has succeeded. */
  readonly ok: () => CounterSeries
  readonly seconds: HistogramSeries
  readonly waves: HistogramSeries
}

/** What every round trip of an operation to a container updates. */
interface RoundTripSeries {
  readonly operation: string
  readonly trips: CounterSeries
  readonly seconds: HistogramSeries
  readonly charge: CounterSeries
}

/** The metrics of the process, shared by all gateways in it and started by the first scrape. */
function processRegistry(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) })
  return ofProcess
}
let ofProcess: Registry | undefined
