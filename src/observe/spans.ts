// OpenTelemetry: one span for each operation, below it one for each round trip, and one for each batch of
// the change feed. Whoever runs the gateway brings an SDK; without one, or where a trace is not sampled,
// nothing is written down. No document, no variable and no message gets into a span.

import { context, isSpanContextValid, propagation, ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span, type TextMapGetter, type TracerProvider } from '@opentelemetry/api'
import type { GraphQLError } from 'graphql'
import { codeOf, nameOf } from '../errors.ts'
import { wavesOf } from '../read/call-log.ts'
import type { Plan } from '../plan/plan.ts'
import { hundredths } from '../store/cost-model.ts'
import type { Supports } from '../store/store.ts'
import type { Begun, Ended, Observer, PropagatedBatch, Refusal, Watch } from './observers.ts'
import { arrivalOf, type IncomingRequest } from '../auth/request-state.ts'

/** An operation with thousands of errors has one of each sort, many times. */
const mostErrors = 10

export class Spans implements Observer {
  readonly #tracer = trace.getTracer('quire')
  readonly #store: Pick<Supports, 'system' | 'charges'>

  constructor(store: Pick<Supports, 'system' | 'charges'>) {
    this.#store = store
  }

  begin({ request, type, name, startMs }: Begun): Watch | undefined {
    if (!isTracing()) return undefined
    const above = contextOf(request)
    const clock = clockNow()
    const attributes = { 'graphql.operation.type': type, ...(name === undefined ? {} : { 'graphql.operation.name': name }), 'quire.request_id': arrivalOf(request).id }
    const span = this.#tracer.startSpan(name === undefined ? type : `${type} ${name}`, { kind: SpanKind.SERVER, startTime: clock(startMs), attributes }, above)
    if (!isSpanContextValid(span.spanContext())) return undefined
    const inside = trace.setSpan(above, span)
    // A trace that is not sampled goes on below, still not sampled.
    const around: Watch['around'] = (run) => context.with(inside, run)
    return span.isRecording() ? { around, end: (ended) => this.#end(span, inside, clock, ended) } : { around }
  }

  /** What is refused has a span too: a client that sends nonsense is worth knowing about. */
  refuse({ request, errors }: Refusal): void {
    const [clock, { id, startMs }] = [clockNow(), arrivalOf(request)]
    const span = this.#tracer.startSpan('GraphQL Operation', { kind: SpanKind.SERVER, startTime: clock(startMs), attributes: { 'quire.request_id': id } }, contextOf(request))
    failed(span, errors)
    span.end()
  }

  propagate({ part, changes, setAside, startMs, durationMs, error }: PropagatedBatch): void {
    const clock = clockNow()
    const attributes = { 'quire.feed.part': part, 'quire.feed.changes': changes, 'quire.feed.set_aside': setAside }
    const span = this.#tracer.startSpan('propagate changes', { kind: SpanKind.INTERNAL, startTime: clock(startMs), attributes }, ROOT_CONTEXT)
    if (error !== undefined) span.setAttribute('error.type', nameOf(error)).setStatus({ code: SpanStatusCode.ERROR })
    span.end(clock(startMs + durationMs))
  }

  #end(span: Span, inside: Context, clock: Clock, ended: Ended): void {
    const { calls, plan, errors, account, startMs, durationMs } = ended
    const waves = wavesOf(calls)
    for (const [index, call] of calls.entries()) {
      this.#tracer.startSpan(`${call.operation} ${call.container}`, {
        kind: SpanKind.CLIENT,
        startTime: clock(call.startMs),
        attributes: {
          'db.system.name': this.#store.system, 'db.collection.name': call.container, 'db.operation.name': call.operation,
          'quire.keys': call.keys, 'quire.documents': call.documents, 'quire.wave': waves.of[index]!, ...this.#charge(call.requestCharge),
        },
      }, inside).end(clock(call.startMs + call.durationMs))
    }
    span.setAttributes({
      'quire.round_trips': calls.length, 'quire.waves': waves.count, ...this.#charge(hundredths(calls.reduce((sum, call) => sum + call.requestCharge, 0))), ...snapshotShare(plan),
      ...(account && { 'quire.naive.round_trips': account.naive.roundTrips, 'quire.naive.waves': account.naive.waves, 'quire.naive.request_charge': account.naive.requestCharge }),
    })
    if (errors.length > 0) failed(span, errors)
    span.end(clock(startMs + durationMs))
  }

  #charge(requestCharge: number): Attributes {
    return { 'quire.request_charge': requestCharge, 'quire.estimated': this.#store.charges === 'estimated' }
  }
}

/** Whether anyone has brought an SDK. Until then there is nothing to write down, and no time to lose with it. */
function isTracing(): boolean {
  const provider: TracerProvider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nobody
}

/** What stands in for an SDK that is not there. */
const nobody = new ProxyTracerProvider().getDelegate()

/** Whoever traces HTTP has opened a span already, and knows where the request came from. */
function contextOf(request: IncomingRequest): Context {
  const active = context.active()
  return trace.getSpan(active) ? active : propagation.extract(active, request.headers, headers)
}

const headers: TextMapGetter<IncomingRequest['headers']> = { get: (carrier, name) => carrier.get(name) ?? undefined, keys: (carrier) => [...carrier.keys()] }

/** From the clock of `performance.now()` to that of everybody else. One for each span and all below it: two could contradict each other. */
type Clock = (ms: number) => number

function clockNow(): Clock {
  const offsetMs = Date.now() - performance.now()
  return (ms) => ms + offsetMs
}

function failed(span: Span, errors: readonly GraphQLError[]): void {
  span.setAttribute('error.type', codeOf(errors[0]!)).setStatus({ code: SpanStatusCode.ERROR })
  for (const error of errors.slice(0, mostErrors)) span.addEvent('graphql.error', { 'error.type': codeOf(error), ...(error.path ? { 'graphql.error.path': error.path.join('.') } : {}) })
}

/** How many of the rows below relations came from copies; nothing where there were none. */
function snapshotShare(plan: Plan): Attributes {
  let [rows, copied] = [0, 0]
  for (const { choice, resolved, fellBack } of plan.all()) {
    if (!choice) continue
    rows += resolved
    copied += choice.from === 'SNAPSHOT' ? resolved : fellBack
  }
  return rows === 0 ? {} : { 'quire.snapshot_share': copied / rows }
}
