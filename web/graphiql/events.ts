// The results of a subscription, from the events that a gateway sends them in.

import type { ExecutionResult } from 'graphql'

/** Ends when the gateway ends it, or at once when whoever listens stops. */
export function events(response: Response): AsyncGenerator<ExecutionResult> {
  const reader = (response.body ?? new Blob().stream()).getReader()
  const results = read(reader)
  return Object.assign(results, {
    // A generator that waits for its next event would not hear of it before that.
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
