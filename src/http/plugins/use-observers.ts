// Notifies observers of requests that were refused before their operation began.

import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Observers } from '../../observe/observers.ts'

export function useObservers(observers: Observers): Plugin {
  return {
    onResultProcess({ request, result }) {
      const { errors } = result as ExecutionResult
      if (errors && errors.length > 0) observers.refuse({ request, errors })
    },
  }
}
