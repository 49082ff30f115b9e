// Logs one line for every answered request.

import type { Plugin } from 'graphql-yoga'
import type { RequestLog } from '../../observe/log/request-log.ts'

export function useLog(log: RequestLog): Plugin {
  return {
    onResponse({ request, response }) {
      log.answered(request, response.status)
    },
  }
}
