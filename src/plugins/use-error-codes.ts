// Gives a code to the errors that come without one. What is refused before it runs has no place in the
// answer, and is the request's fault; what goes wrong at a place in the answer is ours.

import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'

export function useErrorCodes(): Plugin {
  return {
    onResultProcess({ result }) {
      for (const { path, extensions } of (result as ExecutionResult).errors ?? []) {
        extensions['code'] ??= path === undefined ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR'
      }
    },
  }
}
