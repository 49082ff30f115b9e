// Preloaded into a gateway's process: reports to the parent process the memory in use after garbage collection, and every
// name on the built-in prototypes.

import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import { collectGarbage } from '../collect-garbage.ts'

const probes = { Object: Object.prototype, Array: Array.prototype, Function: Function.prototype, String: String.prototype } as const

export interface Inside {
  readonly heapBytes: number
  /** Resident memory after V8 has released what it can, and before. */
  readonly residentBytes: number
  readonly residentBeforeBytes: number
  /** Every property name on the prototypes of objects, arrays, functions and strings. */
  readonly prototypes: readonly string[]
}

process.on('message', (message) => {
  if (message !== 'inside') return
  const residentBeforeBytes = process.memoryUsage.rss()
  collectGarbage()
  // The second collection removes what finalizers of the first released.
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const prototypes = Object.entries(probes).flatMap(([name, prototype]) => Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`))
  process.send!({ heapBytes: heapUsed + external, residentBytes: rss, residentBeforeBytes, prototypes } satisfies Inside)
})

// The channel must not keep the process alive, and without its parent nothing would stop it.
process.channel?.unref()
process.on('disconnect', () => process.exit())

// Spans with all their contents go to standard output, where they are searched like everything else.
if (process.env['RELIABILITY_SPANS']) {
  const { NodeTracerProvider, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace-node')
  const exporter: SpanExporter = {
    export(spans, done) {
      process.stdout.write(`${JSON.stringify(spans.map(({ name, attributes, events, links, status }) => ({ name, attributes, events, links, status })))}\n`)
      done({ code: 0 })
    },
    shutdown: async () => undefined,
  }
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
}
