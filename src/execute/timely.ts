// An operation that takes too long, as it is answered: an error and nothing else, whatever was there already.

import type { ExecutionResult } from 'graphql'
import { httpError } from '../errors.ts'
import { DeadlineError, HungUpError, type OperationContext } from '../store/operation-context.ts'

export function timelyOf(operationContext: OperationContext): (run: () => ExecutionResult | Promise<ExecutionResult>) => Promise<ExecutionResult> {
  return (run) => operationContext.run(async () => run()).catch((error: unknown) => {
    if (error instanceof DeadlineError) return { errors: [httpError('DEADLINE_EXCEEDED', error.message)] }
    if (error instanceof HungUpError) return { errors: [httpError('HUNG_UP', error.message)] }
    throw error
  })
}
