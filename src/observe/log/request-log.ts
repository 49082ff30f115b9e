// Logs one line for every answered request, with the cost of its operation. Probes are logged at debug level, because they
// come all day, and answers with status 500 and above as warnings.

import type { GraphQLError } from 'graphql'
import { codeOf } from '../../graphql-errors.ts'
import { hundredths } from '../../store/cost-model.ts'
import type { Supports } from '../../store/store.ts'
import type { Log } from './log.ts'
import type { Observer, OperationEnd, OperationHooks, OperationStart, Refusal } from '../observers.ts'
import { pathOf, requestState, routeOf, type IncomingRequest } from '../../auth/request-state.ts'

const probes = new Set(['health', 'ready', 'metrics'])

export class RequestLog implements Observer {
  readonly #log: Log
  readonly #estimated: boolean
  readonly #detailed: boolean
  readonly #hooks: OperationHooks = { end: (ended) => this.#end(ended), rows: false }

  constructor(log: Log, charges: Supports['charges']) {
    this.#log = log
    this.#estimated = charges === 'estimated'
    this.#detailed = log.isLevelEnabled('info')
  }

  /** Not needed at level warn, where only failures are logged, without cost; nor for subscriptions, whose events come after the answer. */
  begin({ type }: OperationStart): OperationHooks | undefined {
    return this.#detailed && type !== 'subscription' ? this.#hooks : undefined
  }

  refuse({ request, errors }: Refusal): void {
    requestState(request).logged = { errors: codesOf(errors) }
  }

  answered(request: IncomingRequest, status: number): void {
    if (status < 500 && !this.#detailed) return
    const { id, startMs, logged } = requestState(request)
    const path = pathOf(request)
    const level = status >= 500 ? 'warn' : probes.has(routeOf(path)) ? 'debug' : 'info'
    if (!this.#log.isLevelEnabled(level)) return
    const line = { requestId: id, method: request.method, path: path.slice(0, 200), status, durationMs: hundredths(performance.now() - startMs), ...logged }
    this.#log[level](line, 'answered')
  }

  #end({ request, type, name, calls, errors }: OperationEnd): void {
    requestState(request).logged = {
      operation: type,
      ...(name === undefined ? {} : { operationName: name.slice(0, 200) }),
      roundTrips: calls.length,
      requestCharge: hundredths(calls.reduce((sum, call) => sum + call.requestCharge, 0)),
      estimated: this.#estimated,
      ...(errors.length === 0 ? {} : { errors: codesOf(errors) }),
    }
  }
}

function codesOf(errors: readonly GraphQLError[]): string[] {
  return [...new Set(errors.map(codeOf))].slice(0, 10)
}
