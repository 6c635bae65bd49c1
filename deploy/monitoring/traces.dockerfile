# The image of Rounds with traces. Not run by a test.
#   docker build --tag rounds-traces --file deploy/monitoring/traces.dockerfile deploy/monitoring
FROM node:24.22.1-bookworm-slim AS traces
WORKDIR /traces
RUN npm install --ignore-scripts @opentelemetry/api@1.10.0 @opentelemetry/context-async-hooks@3.0.0 \
    @opentelemetry/core@3.0.0 @opentelemetry/exporter-trace-otlp-http@0.300.0 @opentelemetry/instrumentation@0.300.0 \
    @opentelemetry/instrumentation-http@0.300.0 @opentelemetry/instrumentation-pg@0.77.0 @opentelemetry/resources@3.0.0 \
    @opentelemetry/sdk-trace@3.0.0
COPY traces.mjs ./

FROM rounds
COPY --from=traces /traces /traces
ENV NODE_OPTIONS="--import /traces/traces.mjs"
