// Loaded into a gateway's process before anything else: tells whoever started it how much memory is in use
// once everything that can be collected is, and whether anyone has added to the prototypes that all objects have.

import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import { collectGarbage } from '../collect-garbage.ts'

const probes = { Object: Object.prototype, Array: Array.prototype, Function: Function.prototype, String: String.prototype } as const

export interface Inside {
  readonly heapBytes: number
  /** What the system has given to the process when V8 has given back what it can, and what it had given before. */
  readonly residentBytes: number
  readonly residentBeforeBytes: number
  /** Every name on the prototypes of all objects, lists, functions and texts. */
  readonly prototypes: readonly string[]
}

process.on('message', (message) => {
  if (message !== 'inside') return
  const residentBeforeBytes = process.memoryUsage.rss()
  collectGarbage()
  // What the first time leaves to finalizers is gone after the second.
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const prototypes = Object.entries(probes).flatMap(([name, prototype]) => Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`))
  process.send!({ heapBytes: heapUsed + external, residentBytes: rss, residentBeforeBytes, prototypes } satisfies Inside)
})

// Being asked is no reason to stay, and where whoever started it is gone, nobody will stop it.
process.channel?.unref()
process.on('disconnect', () => process.exit())

// Spans with all that is in them, on standard output, where they are searched like everything else.
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
