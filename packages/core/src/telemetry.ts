// An entry point of its own: whoever does not trace needs no types of OpenTelemetry.
export type { TelemetryApi } from './agent/telemetry/telemetry-api.js';
export { traceRun, type RunTracer, type TraceOptions } from './agent/telemetry/trace-run.js';
