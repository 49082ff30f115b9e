// An operation that takes too long, as it is answered: an error and nothing else, whatever was there already.

import type { ExecutionResult } from 'graphql'
import { notNow } from '../errors.ts'
import { DeadlineError, HungUpError, type Errand } from '../store/errand.ts'

export function timelyOf(errand: Errand): (run: () => ExecutionResult | Promise<ExecutionResult>) => Promise<ExecutionResult> {
  return (run) => errand.run(async () => run()).catch((error: unknown) => {
    if (error instanceof DeadlineError) return { errors: [notNow('DEADLINE_EXCEEDED', error.message, 504)] }
    if (error instanceof HungUpError) return { errors: [notNow('HUNG_UP', error.message, 499)] }
    throw error
  })
}
