// CSRF protection: accepts only requests that a plain link or form cannot make. A page of another site can make a browser
// send forms, plain text and links without a preflight, with the user's credentials; for JSON or a custom header the
// browser first sends a preflight, which `use-origins.ts` answers.

import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { httpError } from '../../graphql-errors.ts'
import { exceededMessage, type Limits } from '../limits/request-limits.ts'
import type { FrameworkRequest } from '../listener.ts'

export interface CsrfProtectionOptions {
  readonly limits: Limits
  /** Whether a GET needs a header that no link can send. In development people follow links. */
  readonly guardsGet: boolean
}

/** Each of these makes a browser send a preflight. GraphQL clients send the last three on their own. */
const preflightHeaders = ['graphql-require-preflight', 'apollo-require-preflight', 'x-apollo-operation-name', 'x-graphql-yoga-csrf']

const bodyTypes = new Set(['application/json', 'application/graphql+json', 'application/graphql'])

export function useCsrfProtection({ limits, guardsGet }: CsrfProtectionOptions): Plugin {
  const tooLarge = () => httpError('REQUEST_ENTITY_TOO_LARGE', exceededMessage('bodyBytes', limits))
  return {
    onRequestParse({ request, requestParser, setRequestParser, serverContext }) {
      const { method, headers } = request
      const type = headers.get('content-type')?.split(';')[0]!.trim().toLowerCase()
      if (method === 'POST' && !bodyTypes.has(type ?? '')) {
        throw httpError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported content type: forms, multipart and plain text are not read. Send JSON with content-type: application/json.')
      }
      if (method === 'POST' && isEncoded(headers.get('content-encoding')) && (serverContext as { req?: FrameworkRequest }).req?.body === undefined) {
        throw httpError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported content encoding: compressed bodies are not read. Send the JSON as it is, without content-encoding.')
      }
      if (method === 'GET' && guardsGet && type !== 'application/json' && !preflightHeaders.some((name) => headers.has(name))) {
        throw httpError('PREFLIGHT_REQUIRED', 'Preflight required: a GET needs a header that links and forms cannot send. Add graphql-require-preflight: 1, or send a POST with content-type: application/json.')
      }
      if (Number(headers.get('content-length')) > limits.bodyBytes) throw tooLarge()
      if (requestParser) setRequestParser((parsed) => withPlainErrors(() => requestParser(parsed), method, tooLarge))
    },
    // The client may still be sending a body that is too large: discard it until the answer is out, then close the connection.
    onResponse({ response, serverContext }) {
      const { req } = serverContext as { req?: IncomingMessage }
      if (response.status !== 413) return
      req?.unpipe()
      req?.resume()
      response.headers.set('connection', 'close')
    },
  }
}

/** A framework that has decompressed the body leaves the header. */
function isEncoded(encoding: string | null): boolean {
  return encoding !== null && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity'
}

/** Says that the request cannot be parsed, without quoting it. */
async function withPlainErrors<T>(parse: () => T | Promise<T>, method: string, tooLarge: () => GraphQLError): Promise<T> {
  try {
    return await parse()
  } catch (error) {
    const { extensions = {} } = error instanceof GraphQLError ? error : {}
    if (extensions['code'] === 'REQUEST_ENTITY_TOO_LARGE') throw tooLarge()
    if (!(error instanceof SyntaxError || 'originalError' in extensions)) throw error
    throw httpError('BAD_REQUEST', method === 'GET' ? 'The variables or extensions in the URL are not JSON.' : 'The request body is not JSON.')
  }
}
