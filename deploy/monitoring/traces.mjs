// Traces of requests and their statements, sent by OTLP over HTTP. Rounds itself does not import this file:
//   OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 node --import ./deploy/monitoring/traces.mjs bin/rounds.js serve
// The instrumentations record addresses with their query, hence patients, and messages of errors, which may quote a row. So
// only the attributes named here are exported: one that a later version adds is dropped until it is added here.
import { subscribe } from 'node:diagnostics_channel'
import { register } from 'node:module'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'

const KEPT = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'url.scheme',
  'network.protocol.version',
  'db.system.name',
  'db.namespace',
  // Values travel beside the text of a statement, never in it.
  'db.query.text',
  'db.operation.name',
  'db.response.status_code',
  'error.type',
])
const NOT_TRACED = new Set(['/livez', '/readyz', '/metrics'])

/** A span with what may leave; messages and events of errors may not. */
function redacted(span) {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => KEPT.has(name)))
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  })
}

const otlp = new OTLPTraceExporter()
const exporter = {
  export: (spans, done) => otlp.export(spans.map(redacted), done),
  forceFlush: () => otlp.forceFlush(),
  shutdown: () => otlp.shutdown(),
}
const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? 'rounds' }),
  sampler: new TraceIdRatioBasedSampler(Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? 1)),
  spanProcessors: [new BatchSpanProcessor({ exporter })],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(provider)

// The driver is imported, not required, and this is what makes imports known to the instrumentations.
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url }) => NOT_TRACED.has(url) }),
    new PgInstrumentation({ requireParentSpan: true }),
  ],
})
// The pattern of the route. Requests that are refused before their handler, as for want of a token, have none.
subscribe('tracing:fastify.request.handler:start', ({ request, route: { url } }) => {
  if (url) trace.getActiveSpan()?.setAttribute('http.route', url).updateName(`${request.method} ${url}`)
})
process.once('beforeExit', () => void provider.shutdown())
