// OpenTelemetry: a span for each operation with a child span for each round trip, and a span for each batch of the change
// feed. The program registers an SDK; without one, or if a trace is not sampled, nothing is recorded. Spans hold no
// documents, variables or messages.

import { context, isSpanContextValid, propagation, ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span, type TextMapGetter, type TracerProvider } from '@opentelemetry/api'
import type { GraphQLError } from 'graphql'
import { codeOf, nameOf } from '../graphql-errors.ts'
import { wavesOf } from '../read/call-log.ts'
import type { RelationRows } from '../plan/plan.ts'
import { hundredths } from '../store/cost-model.ts'
import type { Supports } from '../store/store.ts'
import type { Observer, OperationEnd, OperationHooks, OperationStart, PropagatedBatch, Refusal } from './observers.ts'
import { requestState, type IncomingRequest } from '../auth/request-state.ts'

/** Errors recorded per operation: thousands of errors are usually the same one. */
const maxErrors = 10

export class Spans implements Observer {
  readonly #tracer = trace.getTracer('quire')
  readonly #store: Pick<Supports, 'system' | 'charges'>

  constructor(store: Pick<Supports, 'system' | 'charges'>) {
    this.#store = store
  }

  begin({ request, type, name, startMs }: OperationStart): OperationHooks | undefined {
    if (!isTracing()) return undefined
    const parent = contextOf(request)
    const clock = clockNow()
    const attributes = { 'graphql.operation.type': type, ...(name === undefined ? {} : { 'graphql.operation.name': name }), 'quire.request_id': requestState(request).id }
    const span = this.#tracer.startSpan(name === undefined ? type : `${type} ${name}`, { kind: SpanKind.SERVER, startTime: clock(startMs), attributes }, parent)
    if (!isSpanContextValid(span.spanContext())) return undefined
    const inside = trace.setSpan(parent, span)
    // Also for a trace that is not sampled, so that spans below it are not sampled either.
    const around: OperationHooks['around'] = (run) => context.with(inside, run)
    return span.isRecording() ? { around, end: (ended) => this.#end(span, inside, clock, ended) } : { around }
  }

  /** Refused requests have a span too: operators want to see clients that send invalid requests. */
  refuse({ request, errors }: Refusal): void {
    const [clock, { id, startMs }] = [clockNow(), requestState(request)]
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

  #end(span: Span, inside: Context, clock: Clock, ended: OperationEnd): void {
    const { calls, rows, errors, costReport, startMs, durationMs } = ended
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
      'quire.round_trips': calls.length, 'quire.waves': waves.count, ...this.#charge(hundredths(calls.reduce((sum, call) => sum + call.requestCharge, 0))), ...snapshotShare(rows()),
      ...(costReport && { 'quire.naive.round_trips': costReport.naive.roundTrips, 'quire.naive.waves': costReport.naive.waves, 'quire.naive.request_charge': costReport.naive.requestCharge }),
    })
    if (errors.length > 0) failed(span, errors)
    span.end(clock(startMs + durationMs))
  }

  #charge(requestCharge: number): Attributes {
    return { 'quire.request_charge': requestCharge, 'quire.estimated': this.#store.charges === 'estimated' }
  }
}

/** Whether an SDK is registered. Until then spans would be dropped, so none are created. */
function isTracing(): boolean {
  const provider: TracerProvider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noSdk
}

/** The delegate of a provider without an SDK. */
const noSdk = new ProxyTracerProvider().getDelegate()

/** If HTTP is instrumented, a span is active already and knows the caller; otherwise the headers tell. */
function contextOf(request: IncomingRequest): Context {
  const active = context.active()
  return trace.getSpan(active) ? active : propagation.extract(active, request.headers, headers)
}

const headers: TextMapGetter<IncomingRequest['headers']> = { get: (carrier, name) => carrier.get(name) ?? undefined, keys: (carrier) => [...carrier.keys()] }

/** Converts `performance.now()` to wall-clock time. A span and its children share one clock, since two could disagree. */
type Clock = (ms: number) => number

function clockNow(): Clock {
  const offsetMs = Date.now() - performance.now()
  return (ms) => ms + offsetMs
}

function failed(span: Span, errors: readonly GraphQLError[]): void {
  span.setAttribute('error.type', codeOf(errors[0]!)).setStatus({ code: SpanStatusCode.ERROR })
  for (const error of errors.slice(0, maxErrors)) span.addEvent('graphql.error', { 'error.type': codeOf(error), ...(error.path ? { 'graphql.error.path': error.path.join('.') } : {}) })
}

/** The share of relation rows that came from snapshots; no attribute without rows. */
function snapshotShare(rows: Iterable<RelationRows>): Attributes {
  let [all, fromSnapshots] = [0, 0]
  for (const { from, count } of rows) {
    all += count
    if (from === 'SNAPSHOT') fromSnapshots += count
  }
  return all === 0 ? {} : { 'quire.snapshot_share': fromSnapshots / all }
}
