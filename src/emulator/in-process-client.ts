// An HTTP client that hands requests to the emulator in this process. It fits the `httpClient` option of the SDK's client without knowing
// the SDK.

import type { EmulatedAccount } from './emulated-account.ts'
import { answerHeaders, parseTarget } from './http.ts'

/**
 * For the `httpClient` of a `CosmosClient`.
 *
 * @example
 * ```ts
 * const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key, httpClient: emulator.httpClient })
 * ```
 */
export interface InProcessClient {
  sendRequest<R extends { readonly url: string; readonly method: string; readonly headers: { toJSON(): Record<string, string> }; readonly body?: unknown }>(request: R): Promise<{
    readonly request: R
    readonly status: number
    readonly headers: Iterable<[string, string]> & {
      get(name: string): string | undefined
      has(name: string): boolean
      set(name: string, value: string | number | boolean): void
      delete(name: string): void
      toJSON(): Record<string, string>
    }
    readonly bodyAsText: string
  }>
}

export function inProcessClient(account: EmulatedAccount): InProcessClient {
  return {
    async sendRequest(request) {
      const { pathname, search, host } = new URL(request.url)
      const text = typeof request.body === 'string' ? request.body : ''
      const answer = await account.answer({
        ...parseTarget(pathname + search),
        method: request.method,
        headers: { host, ...lowerCased(request.headers.toJSON()) },
        text,
        bytes: Buffer.byteLength(text),
      })
      return { request, status: answer.status, headers: new AnswerHeaders(answerHeaders(answer)), bodyAsText: answer.body ?? '' }
    },
  }
}

/** Headers by their lower-case names, with the methods that the SDK calls. */
class AnswerHeaders {
  readonly #values: Map<string, string>

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = new Map(Object.entries(values))
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase())
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string | number | boolean): void {
    this.#values.set(name.toLowerCase(), String(value))
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#values)
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values[Symbol.iterator]()
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
