// One operation on its way from HTTP to its answer, as both sides of that border see it.

import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { isHost } from '../auth/request-state.ts'

/** One operation from the moment it is about to run. */
export interface Operation {
  readonly context: object
  /** How it ended, where it has run already. */
  readonly result?: ExecutionResult
  /** The whole answer as text, where there is a quick way to it; undefined when it has to be executed after all. */
  readonly quick?: () => Promise<string | undefined>
  /** When whoever asks has to say anew who they are, in milliseconds since 1970. */
  readonly untilMs?: number | undefined
  /** Headers of the response, known once the operation has run. */
  headers?(): Record<string, string>
  /** Runs it, for whoever has to be around it. */
  readonly around?: <T>(run: () => T) => T
  /** Runs it within its time: what takes longer is answered with an error. */
  readonly timely?: (run: () => ExecutionResult | Promise<ExecutionResult>) => Promise<ExecutionResult>
  /** Goes into the answer's `extensions`, if there is anything to say; of a subscription, about that event. */
  end(answer: ExecutionResult, event?: unknown): Promise<Record<string, unknown>> | undefined
}

export interface Asked {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
}

export interface FastAnswer {
  /** As text, or as the bytes of that. */
  readonly body: string | Buffer
  /** 200, unless it says otherwise. */
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** What resolvers find in the context of Yoga, as far as there is any use for it; the request of fetch is made when someone looks. */
export function contextOf(message: IncomingMessage, asked: Asked): object {
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
