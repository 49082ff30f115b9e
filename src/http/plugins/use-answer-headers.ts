// What every answer says about itself: nobody may keep it, or take it for something else than it says it is. Pages say more.

import type { Plugin } from 'graphql-yoga'

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function useAnswerHeaders(): Plugin {
  return {
    onResponse({ response }) {
      for (const [name, value] of Object.entries(answerHeaders)) if (!response.headers.has(name)) response.headers.set(name, value)
    },
  }
}
