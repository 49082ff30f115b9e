// Headers of every answer: caches must not store it, and browsers must not guess its type. Pages set more of them. Whether a
// connection stays open is up to node:http, which knows what the client asked for and whether the server shuts down.

import type { Plugin } from 'graphql-yoga'

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function useAnswerHeaders(): Plugin {
  return {
    onResponse({ response }) {
      // Yoga sets it for streams of events.
      if (response.headers.get('connection') === 'keep-alive') response.headers.delete('connection')
      for (const [name, value] of Object.entries(answerHeaders)) if (!response.headers.has(name)) response.headers.set(name, value)
    },
  }
}
