// One operation at the border to HTTP: what the fast path and Yoga's plugin give and get.

import type { IncomingMessage } from 'node:http'
import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql'
import { isHost } from '../auth/request-state.ts'
import { httpError } from '../graphql-errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Observed } from '../observe/observers.ts'
import { DeadlineError, HungUpError, type OperationContext } from '../store/operation-context.ts'
import { AnswerTooLarge, answerTooLarge, type AnswerLimits } from './answer/answer-too-large.ts'
import { StoreOverloadedError } from '../store/store-errors.ts'

/** An operation that Yoga is about to execute. */
export interface Operation {
  /** What resolvers find in their context. */
  readonly context: object
  /** The result, where it has run already. */
  readonly result?: ExecutionResult
  /** Answers by the compiled plan, where there is one: the whole answer as text; undefined when GraphQL.js has to execute it. */
  readonly compiled?: () => Promise<string | undefined>
  /** Executes it, where GraphQL.js alone would do it differently. */
  readonly execute?: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>
  /** When the viewer's token expires, in milliseconds since 1970. */
  readonly untilMs?: number | undefined
  /** Equal for subscriptions whose events have equal answers. */
  readonly sharedAs?: string
  /** Headers of the response, known once the operation has run. */
  headers?(): Record<string, string>
  /** Runs it inside of an observer, such as one that opens a span. */
  readonly around?: <T>(run: () => T) => T
  /** Runs it with its deadline: what takes longer is answered with an error. */
  readonly withDeadline?: (run: () => ExecutionResult | Promise<ExecutionResult>) => Promise<ExecutionResult>
  /** Returns the answer's `extensions`, if there are any; for a subscription, those of this event. */
  end(answer: ExecutionResult, event?: unknown): Promise<Record<string, unknown>> | undefined
}

/** An operation as the fast path finds it in a request's body. */
export interface OperationRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
}

/** Parses and validates the text of a request; undefined unless it is valid and within the limits. */
export type ReadDocument = (text: string) => DocumentNode | undefined

export interface FastAnswer {
  readonly body: string
  /** Default 200. */
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** What Yoga would put into the context of resolvers; the fetch request is made only if a resolver asks for it. */
export function yogaContext(message: IncomingMessage, asked: OperationRequest): object {
  let request: Request | undefined
  return {
    req: message,
    params: asked,
    get request() {
      const { host = '' } = message.headers
      const headers = Object.entries(message.headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]))
      request ??= new Request(`http://${isHost(host) ? host : 'localhost'}${message.url}`, { method: 'POST', headers, body: JSON.stringify(asked) })
      return request
    },
  }
}

export function observedAround(observed: Observed | undefined): Pick<Operation, 'around'> {
  return observed?.around ? { around: observed.around } : {}
}

/** An operation that takes too long, or whose answer is too large, is answered with an error alone, whatever part of it was there. */
export function withDeadline(operationContext: OperationContext, plan: Plan, limits: AnswerLimits): NonNullable<Operation['withDeadline']> {
  return (run) => operationContext.run(async () => run()).catch((error: unknown) => {
    if (error instanceof AnswerTooLarge) return { errors: [answerTooLarge(error, plan, limits, operationContext.hasWritten)] }
    if (error instanceof DeadlineError || error instanceof StoreOverloadedError) return { errors: [httpError(error.code, error.message)] }
    if (error instanceof HungUpError) return { errors: [httpError('HUNG_UP', error.message)] }
    throw error
  })
}
