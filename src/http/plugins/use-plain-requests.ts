// Lets through what only a program can have sent. A page on another site can make a browser send forms, plain text
// and links without asking anybody, with whatever the browser knows of its user; it cannot make it send JSON or a
// header of its own without a question (a preflight) that is answered by `use-origins.ts`.

import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { httpError } from '../../errors.ts'

export interface PlainRequestsOptions {
  readonly bodyBytes: number
  /** Whether a GET needs a header that no link has. In development people follow links. */
  readonly guardsGet: boolean
}

/** Any of them makes a browser ask first. Clients send the last three by themselves. */
const askingHeaders = ['graphql-require-preflight', 'apollo-require-preflight', 'x-apollo-operation-name', 'x-graphql-yoga-csrf']

const bodyTypes = new Set(['application/json', 'application/graphql+json', 'application/graphql'])

export function usePlainRequests({ bodyBytes, guardsGet }: PlainRequestsOptions): Plugin {
  const tooLarge = () => httpError('REQUEST_ENTITY_TOO_LARGE', `The body has more than ${bodyBytes} bytes. Send less at a time.`)
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const { method, headers } = request
      const type = headers.get('content-type')?.split(';')[0]!.trim().toLowerCase()
      if (method === 'POST' && !bodyTypes.has(type ?? '')) {
        throw httpError('UNSUPPORTED_MEDIA_TYPE', 'The body has to be JSON: send it with content-type: application/json. Forms, multipart and plain text are not read.')
      }
      if (method === 'GET' && guardsGet && type !== 'application/json' && !askingHeaders.some((name) => headers.has(name))) {
        throw httpError('PREFLIGHT_REQUIRED', 'A GET has to carry a header that no link and no form can: graphql-require-preflight: 1. Or send a POST of application/json.')
      }
      if (Number(headers.get('content-length')) > bodyBytes) throw tooLarge()
      if (requestParser) setRequestParser((asked) => readable(() => requestParser(asked), method, tooLarge))
    },
    // Who has sent too much may be sending still: it is thrown away until the answer is out, and then nobody listens.
    onResponse({ response, serverContext }) {
      const { req } = serverContext as { req?: IncomingMessage }
      if (response.status !== 413) return
      req?.unpipe()
      req?.resume()
      response.headers.set('connection', 'close')
    },
  }
}

/** What cannot be read is said without repeating it. */
async function readable<T>(parse: () => T | Promise<T>, method: string, tooLarge: () => GraphQLError): Promise<T> {
  try {
    return await parse()
  } catch (error) {
    const { extensions = {} } = error instanceof GraphQLError ? error : {}
    if (extensions['code'] === 'REQUEST_ENTITY_TOO_LARGE') throw tooLarge()
    if (!(error instanceof SyntaxError || 'originalError' in extensions)) throw error
    throw httpError('BAD_REQUEST', method === 'GET' ? 'The variables or extensions of the address are not JSON.' : 'The body is not JSON.')
  }
}
