// Headers of every answer: caches must not store it, and browsers must not guess its type. Pages set more of them.

import type { Plugin } from 'graphql-yoga'

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function useAnswerHeaders(): Plugin {
  return {
    onResponse({ response }) {
      for (const [name, value] of Object.entries(answerHeaders)) if (!response.headers.has(name)) response.headers.set(name, value)
    },
  }
}
