// Sends one HTTP request on a connection that is kept open, and reads the whole answer as text. The default client of the SDK takes more
// processor time, `fetch` much more, and each way in which a connection can fail has a code of its own there. Here they all have the code
// of a request that was not sent, which is retried: a name that does not resolve or a certificate that is refused may be right a moment later.

import { request as requestHttp, type Agent, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { createHttpHeaders, RestError, type HttpClient, type PipelineRequest, type PipelineResponse, type RawHttpHeadersInput } from '@azure/core-rest-pipeline'

export function createHttpClient(): HttpClient {
  const origins = new Map<string, Origin>()
  return {
    sendRequest(request) {
      const start = request.url.indexOf('/', 'https://'.length)
      const name = start < 0 ? request.url : request.url.slice(0, start)
      let origin = origins.get(name)
      if (!origin) origins.set(name, (origin = originOf(name)))
      return exchange(request, origin, start < 0 ? '/' : request.url.slice(start))
    },
  }
}

/** What all requests to one server share, so that no URL is parsed twice. */
interface Origin {
  readonly send: typeof requestHttp
  readonly options: RequestOptions
}

function originOf(name: string): Origin {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(name))
  return { send: name.startsWith('https:') ? requestHttps : requestHttp, options: { protocol, hostname, port } }
}

function exchange(request: PipelineRequest, { send, options }: Origin, path: string): Promise<PipelineResponse> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = request
    const agent = request.agent as Agent | undefined
    const signal = request.abortSignal as AbortSignal | undefined
    if (signal?.aborted) return reject(aborted())
    const sent = send({ ...options, path, method, headers: headers.toJSON({ preserveCase: true }), ...(agent ? { agent } : {}) })
    const onAbort = (): void => {
      sent.destroy()
      reject(aborted())
    }
    const fail = (code: string, error: Error): void => {
      signal?.removeEventListener('abort', onAbort)
      reject(new RestError(error.message, { code, request }))
    }
    signal?.addEventListener('abort', onAbort)
    sent.on('error', (error) => fail(RestError.REQUEST_SEND_ERROR, error))
    sent.on('response', (response) => {
      readText(response, (text) => {
        signal?.removeEventListener('abort', onAbort)
        resolve({ request, status: response.statusCode!, headers: createHttpHeaders(response.headers as RawHttpHeadersInput), bodyAsText: text })
      }, (error) => fail(RestError.PARSE_ERROR, error))
    })
    sent.end(body as string | undefined)
  })
}

function readText(response: IncomingMessage, done: (text: string) => void, failed: (error: Error) => void): void {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', failed)
  response.on('end', () => done(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()))
}

function aborted(): Error {
  return Object.assign(new Error('The request was aborted.'), { name: 'AbortError' })
}
