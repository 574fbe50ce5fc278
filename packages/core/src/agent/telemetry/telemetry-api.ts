import type * as OpenTelemetry from '@opentelemetry/api';

/** What is used of `@opentelemetry/api`: hand in the module. */
export type TelemetryApi = Pick<typeof OpenTelemetry, 'context' | 'trace' | 'SpanKind' | 'SpanStatusCode'> &
  Partial<Pick<typeof OpenTelemetry, 'diag'>>;
