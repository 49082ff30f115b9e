// Gives every error a code, and the request id to errors that operators have to look into, so that a client can quote it.
// Those errors are also handed to `onFault`, which logs them.

import type { ExecutionResult, GraphQLError } from 'graphql'
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga'
import { isLogged } from '../../errors.ts'
import { codeOf } from '../../graphql-errors.ts'
import { requestState } from '../../auth/request-state.ts'

export function useErrorCodes(onFault: (error: GraphQLError, request: Request) => void): Plugin {
  const withCodes = (answer: ExecutionResult, request: Request): ExecutionResult => {
    for (const error of answer.errors ?? []) {
      const code = (error.extensions['code'] ??= codeOf(error)) as string
      if (!isLogged(code)) continue
      error.extensions['requestId'] = requestState(request).id
      onFault(error, request)
    }
    return answer
  }
  return {
    onResultProcess(processed) {
      const { request, result } = processed
      if (isAsyncIterable(result)) processed.setResult(mapAsyncIterator(result, (event) => withCodes(event as ExecutionResult, request) as typeof event))
      else withCodes(result as ExecutionResult, request)
    },
  }
}
