// Sends one HTTP request on a connection that is kept open, and reads the whole answer as text. The default client of the SDK does the same with
// streams, copies of all headers and a controller for each request, which costs more than the request itself.

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
    const fail = (code: string) => (error: Error): void => {
      signal?.removeEventListener('abort', onAbort)
      reject(new RestError(error.message, { code, request }))
    }
    signal?.addEventListener('abort', onAbort)
    sent.on('error', fail(RestError.REQUEST_SEND_ERROR))
    sent.on('response', (response) => {
      readText(response, (text) => {
        signal?.removeEventListener('abort', onAbort)
        resolve({ request, status: response.statusCode!, headers: createHttpHeaders(response.headers as RawHttpHeadersInput), bodyAsText: text })
      }, fail(RestError.PARSE_ERROR))
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
