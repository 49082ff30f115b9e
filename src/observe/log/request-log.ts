// Logs one line for every answered request, with the cost of its operation. Probes are logged at debug level, because they
// come all day, and answers with status 500 and above as warnings. The line is put together here, as text, from what the
// request and its operation already know: as an object of fields it would cost twice as much.

import type { GraphQLError } from 'graphql'
import { codeOf } from '../../graphql-errors.ts'
import { quoted } from '../../model/json/quote-json.ts'
import { hundredths } from '../../store/cost-model.ts'
import type { Supports } from '../../store/store.ts'
import { writeText, type Log } from './log.ts'
import type { Observer, OperationEnd, OperationHooks, OperationStart, Refusal } from '../observers.ts'
import { pathOf, requestState, routeOf, type IncomingRequest } from '../../auth/request-state.ts'

const probes = new Set(['health', 'ready', 'metrics'])

export class RequestLog implements Observer {
  readonly #log: Log
  readonly #estimated: string
  readonly #detailed: boolean
  readonly #hooks: OperationHooks = { end: (ended) => void (requestState(ended.request).logged = ended), rows: false }
  /** Most requests ask for the same path. */
  #target: Target = { method: '', path: '', isProbe: false, text: '' }

  constructor(log: Log, charges: Supports['charges']) {
    this.#log = log
    this.#estimated = `,"estimated":${charges === 'estimated'}`
    this.#detailed = log.isLevelEnabled('info')
  }

  /** Not needed at level warn, where only failures are logged, without cost; nor for subscriptions, whose events come after the answer. */
  begin({ type }: OperationStart): OperationHooks | undefined {
    return this.#detailed && type !== 'subscription' ? this.#hooks : undefined
  }

  refuse(refusal: Refusal): void {
    requestState(refusal.request).logged = refusal
  }

  answered(request: IncomingRequest, status: number): void {
    if (status < 500 && !this.#detailed) return
    const { isProbe, text } = this.#targetOf(request)
    const level = status >= 500 ? 'warn' : isProbe ? 'debug' : 'info'
    if (!this.#log.isLevelEnabled(level)) return
    const { id, startMs, logged } = requestState(request)
    // An id has no character that JSON escapes.
    const line = `,"requestId":"${id}"${text},"status":${status},"durationMs":${hundredths(performance.now() - startMs)}`
    writeText(this.#log, level, logged ? line + this.#operationText(logged as OperationEnd | Refusal) : line, 'answered')
  }

  #targetOf(request: IncomingRequest): Target {
    const [method, path] = [request.method, pathOf(request)]
    const last = this.#target
    if (path === last.path && method === last.method) return last
    return (this.#target = { method, path, isProbe: probes.has(routeOf(path)), text: `,"method":${quoted(method)},"path":${quoted(path.slice(0, 200))}` })
  }

  #operationText(logged: OperationEnd | Refusal): string {
    const codes = logged.errors.length === 0 ? '' : `,"errors":${JSON.stringify(codesOf(logged.errors))}`
    if (!('calls' in logged)) return codes
    const { type, name, calls } = logged
    let charge = 0
    for (const call of calls) charge += call.requestCharge
    const named = name === undefined ? '' : `,"operationName":${quoted(name.slice(0, 200))}`
    return `,"operation":"${type}"${named},"roundTrips":${calls.length},"requestCharge":${Number.isFinite(charge) ? hundredths(charge) : null}${this.#estimated}${codes}`
  }
}

/** Where requests are sent, with the text of its fields. */
interface Target {
  readonly method: string
  readonly path: string
  readonly isProbe: boolean
  readonly text: string
}

function codesOf(errors: readonly GraphQLError[]): string[] {
  return [...new Set(errors.map(codeOf))].slice(0, 10)
}
