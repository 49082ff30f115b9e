// Turns OpenTelemetry on: loaded before Quire, it registers an SDK, which receives Quire's spans.
//
//   node --import ./examples/opentelemetry.ts bin/quire.js start
//
// This one prints spans. To send them to a collector, install @opentelemetry/exporter-trace-otlp-http, replace the
// processor below with `new BatchSpanProcessor(new OTLPTraceExporter())`, and set OTEL_EXPORTER_OTLP_ENDPOINT. Other
// instrumentations, such as HTTP or undici, add their spans to the same traces.

import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] })

// Also continues traces that arrive in the W3C traceparent header.
provider.register()
