// Counts what ends: operations with their round trips, and batches of the change feed. What is counted is
// in metric-families.ts; who may see it is not decided here.

import { collectDefaultMetrics, Registry } from 'prom-client'
import { codeOf } from '../errors.ts'
import { wavesOf } from '../read/call-log.ts'
import type { Receipt, Supports } from '../store/store.ts'
import { createMetricFamilies, type MetricFamilies, type Now } from './metric-families.ts'
import type { Ended, Observer, PropagatedBatch, Refusal, Watch } from './observers.ts'
import { arrivalOf, pathOf, type IncomingRequest } from '../auth/request-state.ts'

const routes = new Set(['/graphql', '/health', '/ready', '/metrics'])

/** More codes than any schema has. What is beyond them is counted as one. */
const mostCodes = 100

export class Metrics implements Observer {
  readonly families: MetricFamilies
  readonly registry = new Registry()
  readonly #basis: Supports['charges']
  readonly #codes = new Set<string>()
  readonly #watch: Watch = { end: (ended) => this.#end(ended) }

  constructor(basis: Supports['charges'], now: Now) {
    this.#basis = basis
    this.families = createMetricFamilies(this.registry, now)
  }

  /** Everything as Prometheus reads it. */
  async text(): Promise<string> {
    return Registry.merge([this.registry, processRegistry()]).metrics()
  }

  begin(): Watch {
    return this.#watch
  }

  refuse({ errors }: Refusal): void {
    this.families.operations.inc({ type: 'unknown', outcome: 'refused' })
    for (const error of errors) this.families.errors.inc({ code: this.#codeLabel(codeOf(error)) })
  }

  /** A request was answered, whatever it was for. */
  answered(request: IncomingRequest, status: number): void {
    const path = pathOf(request)
    this.families.requestSeconds.observe({ route: routes.has(path) ? path.slice(1) : 'other', status }, (performance.now() - arrivalOf(request).startMs) / 1000)
  }

  follow(receipt: Receipt): void {
    this.#roundTrip('feed', receipt)
  }

  propagate({ changes, setAside, durationMs }: PropagatedBatch): void {
    this.families.propagatedChanges.inc({ outcome: 'carried' }, changes - setAside)
    this.families.propagatedChanges.inc({ outcome: 'set_aside' }, setAside)
    this.families.propagationSeconds.observe(durationMs / 1000)
  }

  stumble(): void {
    this.families.feedFailures.inc()
  }

  #end({ type, plan, calls, errors, answered, durationMs, account }: Ended): void {
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
    if (account) this.#trace(account)
  }

  #roundTrip(source: 'operation' | 'feed', { operation, container, keys, durationMs, requestCharge }: Receipt): void {
    const { roundTrips, roundTripSeconds, roundTripKeys, requestCharge: charge } = this.families
    // One write can reach several containers, and which ones depends on the documents.
    const where = container.includes(', ') ? 'several' : container
    roundTrips.inc({ source, container: where, operation })
    roundTripSeconds.observe({ source, operation }, durationMs / 1000)
    if (keys > 0) roundTripKeys.observe({ source, operation }, keys)
    charge.inc({ source, container: where, operation, basis: this.#basis }, requestCharge)
  }

  #trace({ made, naive }: NonNullable<Ended['account']>): void {
    const { tracedOperations, tracedRoundTrips, tracedCharge } = this.families
    tracedOperations.inc()
    tracedRoundTrips.inc({ way: 'made' }, made.roundTrips)
    tracedRoundTrips.inc({ way: 'naive' }, naive.roundTrips)
    tracedCharge.inc({ way: 'made', basis: this.#basis }, made.requestCharge)
    tracedCharge.inc({ way: 'naive', basis: 'estimated' }, naive.requestCharge)
  }

  /** Resolvers may throw any code they like; labels may not be just anything. */
  #codeLabel(code: string): string {
    if (this.#codes.has(code)) return code
    if (this.#codes.size >= mostCodes || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return 'OTHER'
    this.#codes.add(code)
    return code
  }
}

/** The process is the same for all gateways in it, and nobody measures it before someone asks. */
function processRegistry(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) })
  return ofProcess
}
let ofProcess: Registry | undefined
