// Updates the metrics when operations, requests and batches of the change feed end. `metric-families.ts` defines the metrics;
// who may see them is decided elsewhere.

import { collectDefaultMetrics, Registry } from 'prom-client'
import { codeOf } from '../graphql-errors.ts'
import { wavesOf } from '../read/call-log.ts'
import type { Receipt, Supports } from '../store/store.ts'
import { createMetricFamilies, type MetricFamilies, type GaugeSources } from './metric-families.ts'
import type { Observer, OperationEnd, OperationHooks, PropagatedBatch, Refusal } from './observers.ts'
import { requestState, routeOf, type IncomingRequest } from '../auth/request-state.ts'

const routes = new Set(['graphql', 'health', 'ready', 'metrics'])

/** More codes than any schema has. All further ones are counted as OTHER. */
const maxCodes = 100

export class Metrics implements Observer {
  readonly families: MetricFamilies
  readonly registry = new Registry()
  readonly #basis: Supports['charges']
  readonly #codes = new Set<string>()
  readonly #hooks: OperationHooks = { end: (ended) => this.#end(ended) }

  constructor(basis: Supports['charges'], sources: GaugeSources) {
    this.#basis = basis
    this.families = createMetricFamilies(this.registry, sources)
  }

  /** All metrics in Prometheus's text format. */
  async text(): Promise<string> {
    return Registry.merge([this.registry, processRegistry()]).metrics()
  }

  begin(): OperationHooks {
    return this.#hooks
  }

  refuse({ errors }: Refusal): void {
    this.families.operations.inc({ type: 'unknown', outcome: 'refused' })
    for (const error of errors) this.families.errors.inc({ code: this.#codeLabel(codeOf(error)) })
  }

  /** A request was answered, to whatever path. */
  answered(request: IncomingRequest, status: number): void {
    const route = routeOf(request)
    this.families.requestSeconds.observe({ route: routes.has(route) ? route : 'other', status }, (performance.now() - requestState(request).startMs) / 1000)
  }

  follow(receipt: Receipt): void {
    this.#roundTrip('feed', receipt)
  }

  propagate({ changes, setAside, durationMs }: PropagatedBatch): void {
    this.families.propagatedChanges.inc({ outcome: 'carried' }, changes - setAside)
    this.families.propagatedChanges.inc({ outcome: 'set_aside' }, setAside)
    this.families.propagationSeconds.observe(durationMs / 1000)
  }

  feedFailed(): void {
    this.families.feedFailures.inc()
  }

  #end({ type, plan, calls, errors, answered, durationMs, costReport }: OperationEnd): void {
    const { operations, operationSeconds, operationWaves, resolved } = this.families
    operations.inc({ type, outcome: errors.length === 0 ? 'ok' : answered ? 'partial' : 'failed' })
    operationSeconds.observe({ type }, durationMs / 1000)
    operationWaves.observe({ type }, wavesOf(calls).count)
    for (const call of calls) this.#roundTrip('operation', call)
    for (const error of errors) this.families.errors.inc({ code: this.#codeLabel(codeOf(error)) })
    for (const { coordinate: field, choice, resolved: rows, fellBack } of plan.all()) {
      if (!choice || rows === 0) continue
      resolved.inc({ field, from: choice.from }, rows - fellBack)
      if (fellBack > 0) resolved.inc({ field, from: 'SNAPSHOT' }, fellBack)
    }
    if (costReport) this.#trace(costReport)
  }

  #roundTrip(source: 'operation' | 'feed', { operation, container, keys, durationMs, requestCharge }: Receipt): void {
    const { roundTrips, roundTripSeconds, roundTripKeys, requestCharge: charge } = this.families
    // A transaction can reach several containers, and which ones depends on the documents.
    const where = container.includes(', ') ? 'several' : container
    roundTrips.inc({ source, container: where, operation })
    roundTripSeconds.observe({ source, operation }, durationMs / 1000)
    if (keys > 0) roundTripKeys.observe({ source, operation }, keys)
    charge.inc({ source, container: where, operation, basis: this.#basis }, requestCharge)
  }

  #trace({ made, naive }: NonNullable<OperationEnd['costReport']>): void {
    const { tracedOperations, tracedRoundTrips, tracedCharge } = this.families
    tracedOperations.inc()
    tracedRoundTrips.inc({ way: 'made' }, made.roundTrips)
    tracedRoundTrips.inc({ way: 'naive' }, naive.roundTrips)
    tracedCharge.inc({ way: 'made', basis: this.#basis }, made.requestCharge)
    tracedCharge.inc({ way: 'naive', basis: 'estimated' }, naive.requestCharge)
  }

  /** Resolvers may throw any code, but the number of labels has to stay bounded. */
  #codeLabel(code: string): string {
    if (this.#codes.has(code)) return code
    if (this.#codes.size >= maxCodes || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return 'OTHER'
    this.#codes.add(code)
    return code
  }
}

/** The metrics of the process, shared by all gateways in it and started by the first scrape. */
function processRegistry(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) })
  return ofProcess
}
let ofProcess: Registry | undefined
