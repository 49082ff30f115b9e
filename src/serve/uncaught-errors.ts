// Uncaught errors. An error in the code of a request (a resolver that throws in a timer, or drops a promise) is only logged,
// with the id of the request: other requests are not affected, and its own is answered by its deadline at the latest. After
// any other error the state of the process is unknown: it answers the open requests and exits, so that a supervisor can
// restart it.

import { currentOperation } from '../store/operation-context.ts'
import type { Log } from '../observe/log/log.ts'
import { isStray } from '../http/stray-rejections.ts'

export function handleUncaughtErrors(log: Log, fail: (reason: string) => void): void {
  const onError = (thrown: unknown): void => {
    if (isStray(thrown)) return
    const err = thrown instanceof Error ? thrown : new Error(String(thrown))
    const operationContext = currentOperation()
    if (operationContext) log.error({ requestId: operationContext.id, err }, 'Uncaught error in the code of a request. Other requests continue.')
    else {
      log.error({ err }, 'Uncaught error outside any request. Quire answers the open requests and exits.')
      fail('uncaught error')
    }
  }
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}
