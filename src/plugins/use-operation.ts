// Gives every operation what its resolvers need, and its answer what the operation has to say about
// itself. What those are, this plugin does not know.

import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** One operation from the moment it is about to run. */
export interface Operation {
  readonly context: object
  /** Headers of the response, known once the operation has run. */
  headers?(): Record<string, string>
  /** Goes into the answer's `extensions`, if there is anything to say. */
  end(): Promise<Record<string, unknown>> | undefined
}

export function useOperation(begin: (args: ExecutionArgs, request: Request) => Operation): Plugin {
  const operations = new WeakMap<Request, Operation>()
  return {
    onResponse({ request, response }) {
      const headers = operations.get(request)?.headers?.() ?? {}
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    },
    onExecute({ args, extendContext, setResultAndStopExecution }) {
      const { request } = args.contextValue as { request: Request }
      let operation: Operation
      try {
        operation = begin(args, request)
      } catch (error) {
        // A request that asks for something impossible is answered, not failed.
        if (!(error instanceof GraphQLError)) throw error
        setResultAndStopExecution({ errors: [error] })
        return undefined
      }
      operations.set(request, operation)
      extendContext(operation.context)
      return {
        async onExecuteDone({ result, setResult }) {
          const said = operation.end()
          if (!said) return
          const answer = result as ExecutionResult
          setResult({ ...answer, extensions: { ...answer.extensions, ...(await said) } })
        },
      }
    },
  }
}
