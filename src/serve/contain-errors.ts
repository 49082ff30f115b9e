// Errors that nobody has caught. One that comes from the code of a request (a resolver that throws in a timer,
// a promise that it has let go of) is logged with the id of that request, and that is all: nobody else's request
// is concerned, and its own is answered, at the latest when its time is over. Any other leaves the process in a
// state that nobody knows: it answers what has begun and ends, for a supervisor to start it anew.

import { currentOperation } from '../store/operation-context.ts'
import type { Log } from '../observe/log/log.ts'
import { isStray } from '../http/stray-rejections.ts'

export function containErrors(log: Log, fail: (reason: string) => void): void {
  const onError = (thrown: unknown): void => {
    if (isStray(thrown)) return
    const err = thrown instanceof Error ? thrown : new Error(String(thrown))
    const operationContext = currentOperation()
    if (operationContext) log.error({ requestId: operationContext.id, err }, 'The code of a request has thrown an error that nobody caught. Other requests go on.')
    else {
      log.error({ err }, 'An error that nobody caught, and that belongs to no request. It ends as soon as what has begun is answered.')
      fail('an error that nobody caught')
    }
  }
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}
