// One line for every request that was answered, with what its operation did. Probes are asked all day, so
// theirs are for those who debug; what could not be answered is a warning.

import type { GraphQLError } from 'graphql'
import { codeOf } from '../../errors.ts'
import { hundredths } from '../../store/cost-model.ts'
import type { Supports } from '../../store/store.ts'
import type { Log } from './log.ts'
import type { Begun, Ended, Observer, Refusal, Watch } from '../observers.ts'
import { arrivalOf, pathOf, type IncomingRequest } from '../../auth/request-state.ts'

const probes = new Set(['/health', '/ready', '/metrics'])

export class RequestLog implements Observer {
  readonly #log: Log
  readonly #estimated: boolean
  readonly #detailed: boolean
  readonly #operations = new WeakMap<IncomingRequest, object>()
  readonly #watch: Watch = { end: (ended) => this.#end(ended), rows: false }

  constructor(log: Log, charges: Supports['charges']) {
    this.#log = log
    this.#estimated = charges === 'estimated'
    this.#detailed = log.isLevelEnabled('info')
  }

  /** Failures are logged without figures where nothing else is. The events of a subscription come after its request was answered. */
  begin({ type }: Begun): Watch | undefined {
    return this.#detailed && type !== 'subscription' ? this.#watch : undefined
  }

  refuse({ request, errors }: Refusal): void {
    this.#operations.set(request, { errors: codesOf(errors) })
  }

  answered(request: IncomingRequest, status: number): void {
    if (status < 500 && !this.#detailed) return
    const { id, startMs } = arrivalOf(request)
    const path = pathOf(request)
    const level = status >= 500 ? 'warn' : probes.has(path) ? 'debug' : 'info'
    if (!this.#log.isLevelEnabled(level)) return
    const line = { requestId: id, method: request.method, path: path.slice(0, 200), status, durationMs: hundredths(performance.now() - startMs), ...this.#operations.get(request) }
    this.#log[level](line, 'answered')
  }

  #end({ request, type, name, calls, errors }: Ended): void {
    this.#operations.set(request, {
      operation: type,
      ...(name === undefined ? {} : { operationName: name.slice(0, 200) }),
      roundTrips: calls.length,
      requestCharge: hundredths(calls.reduce((sum, call) => sum + call.requestCharge, 0)),
      estimated: this.#estimated,
      ...(errors.length === 0 ? {} : { errors: codesOf(errors) }),
    })
  }
}

function codesOf(errors: readonly GraphQLError[]): string[] {
  return [...new Set(errors.map(codeOf))].slice(0, 10)
}
