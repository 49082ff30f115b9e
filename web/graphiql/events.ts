// Reads the results of a subscription from server-sent events.

import type { ExecutionResult } from 'graphql'

/** Ends when the gateway completes the subscription, or at once when the consumer stops. */
export function events(response: Response): AsyncGenerator<ExecutionResult> {
  const reader = (response.body ?? new Blob().stream()).getReader()
  const results = read(reader)
  return Object.assign(results, {
    // A generator waiting for its next event would not see `return` before that event.
    async return(value: unknown) {
      await reader.cancel()
      return { done: true as const, value }
    },
  })
}

async function* read(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<ExecutionResult> {
  const decoder = new TextDecoder()
  let text = ''
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const parts = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    text = parts.pop() ?? ''
    for (const part of parts) {
      const lines = part.split(/\r?\n/)
      if (lines.includes('event: complete')) return
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length)).join('\n').trim()
      if (data) yield JSON.parse(data) as ExecutionResult
    }
  }
}
