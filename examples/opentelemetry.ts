// Switches OpenTelemetry on: loaded before Quire, it registers an SDK, and Quire's spans go where that says.
//
//   node --import ./examples/opentelemetry.ts bin/quire.js start
//
// This one prints spans. To send them to a collector, install @opentelemetry/exporter-trace-otlp-http and put
// `new BatchSpanProcessor(new OTLPTraceExporter())` in the place of the processor below: it is told by
// OTEL_EXPORTER_OTLP_ENDPOINT where to send them. What else is instrumented, HTTP or undici, joins in.

import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] })

// Also makes W3C's traceparent the way in which traces come from elsewhere.
provider.register()
