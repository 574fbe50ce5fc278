import type { Span, Tracer } from '@opentelemetry/api';
import { messageOf } from '../../errors/message-of.js';
import type { RecordedError, RunEvent } from '../run-event.js';
import { RunSpans } from './run-spans.js';
import {
  actionAttributes,
  activationAttributes,
  errorAttributes,
  modelAttributes,
  readAttributes,
  toolName,
  usageAttributes,
} from './span-attributes.js';
import type { TelemetryApi } from './telemetry-api.js';

/** How a run is traced. */
export interface TraceOptions {
  /** @default the tracer `@skillpack/core` of the global provider */
  readonly tracer?: Tracer | undefined;
  /** What the agent is called in its span. @default no name */
  readonly agent?: string | undefined;
  /** Whether spans hold what was asked, said, given to tools and answered by them. @default false */
  readonly content?: boolean | undefined;
}

/** Told of each event of a run, in their order: for `onEvent` of the options of an agent, or for a record afterwards. */
export type RunTracer = (event: RunEvent) => void;

/**
 * Makes spans of the events of a run: `invoke_agent` for each request and each child run, in it `chat` for each model
 * call, `execute_tool` for each action, `skill.activate` and `skill.read`. A request is a child of what is active when it
 * is received. Times are those of the events. What a tracer throws ends no run: the first time, `diag` is told.
 *
 * @example
 * ```ts
 * import * as api from '@opentelemetry/api';
 * import { traceRun } from '@skillpack/core/telemetry';
 *
 * const run = await startRun(ports, { id: 'first', onEvent: traceRun(api) });
 * ```
 */
export function traceRun(api: TelemetryApi, options: TraceOptions = {}): RunTracer {
  const tracer = options.tracer ?? api.trace.getTracer('@skillpack/core');
  const tracing: Tracing = { api, options, spans: new RunSpans(api, tracer), models: new Map() };
  let told = false;
  return (event) => {
    try {
      spansOf(tracing, event);
    } catch (error) {
      // A run does not depend on who watches it.
      if (!told) api.diag?.error(`A tracer failed: ${messageOf(error)}`);
      told = true;
    }
  };
}

function spansOf(tracing: Tracing, event: RunEvent): void {
  requestSpan(tracing, event);
  modelSpan(tracing, event);
  actionSpan(tracing, event);
  skillSpan(tracing, event);
}

interface Tracing {
  readonly api: TelemetryApi;
  readonly options: TraceOptions;
  readonly spans: RunSpans;
  /** The model of each run. */
  readonly models: Map<string, string>;
}

function requestSpan(tracing: Tracing, event: RunEvent): void {
  const { api, spans, options, models } = tracing;
  switch (event.type) {
    case 'run_started': {
      models.set(event.run, event.model);
      if (event.parent === undefined) return;
      spans.adopt(event.run, event.parent.run);
      return openRequest(tracing, event);
    }
    case 'run_resumed':
      if (event.with !== undefined) models.set(event.run, event.with.model);
      return;
    case 'request_received': {
      // That before was cut off, and nobody went on with it. A child's is opened with the run.
      if (!spans.isChild(event.run)) spans.end(event.run, timeOf(event));
      openRequest(tracing, event);
      const span = spans.of(event.run, 'request');
      if (options.content === true) span?.setAttribute('gen_ai.input.messages', messages('user', event.request.text));
      return;
    }
    // A run that was resumed works on a request that another process received.
    case 'turn_started':
      return openRequest(tracing, event);
    case 'decision_rejected':
    case 'context_compacted':
      return void spans.of(event.run, 'request')?.addEvent(`skill.${event.type}`, {}, timeOf(event));
    case 'request_answered': {
      const { stop, degraded, answer } = event;
      const span = spans.of(event.run, 'request');
      span?.setAttributes({ 'skill.run.stop': stop, 'skill.run.degraded': degraded, ...spans.usageOf(event.run) });
      if (options.content === true) span?.setAttribute('gen_ai.output.messages', messages('assistant', answer));
      if (degraded) span?.setAttribute('error.type', stop).setStatus({ code: api.SpanStatusCode.ERROR });
      return spans.end(event.run, timeOf(event));
    }
    case 'run_finished':
      models.delete(event.run);
      return spans.forget(event.run, timeOf(event));
    default:
  }
}

function openRequest({ api, spans, options, models }: Tracing, event: RunEvent): void {
  if (spans.of(event.run, 'request') !== undefined) return;
  const { agent } = options;
  spans.start(event.run, 'request', {
    name: agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`,
    kind: api.SpanKind.INTERNAL,
    startTime: timeOf(event),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': event.run,
      ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
      ...modelAttributes(models.get(event.run) ?? 'unknown'),
    },
  });
}

function modelSpan({ api, spans, models, options }: Tracing, event: RunEvent): void {
  if (event.type === 'model_requested') {
    const model = modelAttributes(models.get(event.run) ?? 'unknown');
    spans.start(event.run, 'model', {
      name: `chat ${String(model['gen_ai.request.model'])}`,
      kind: api.SpanKind.CLIENT,
      startTime: timeOf(event),
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': event.run, ...model },
    });
  }
  const span = spans.of(event.run, 'model');
  if (event.type === 'model_answered') {
    const { usage, finish, text } = event;
    spans.addUsage(event.run, usage);
    span?.setAttributes({ 'gen_ai.response.finish_reasons': [finish], ...usageAttributes(usage) });
    if (options.content === true) span?.setAttribute('gen_ai.output.messages', messages('assistant', text));
  }
  if (event.type === 'model_failed') fail({ api, options }, span, event.error);
  if (event.type === 'model_answered' || event.type === 'model_failed') spans.endOne(event.run, 'model', timeOf(event));
}

function actionSpan({ api, spans, options }: Tracing, event: RunEvent): void {
  const { run } = event;
  if (event.type === 'action_started') {
    const { id, action } = event;
    // What ends a request does nothing.
    if (action.kind === 'final_answer' || action.kind === 'ask_user') return;
    const given = options.content === true ? { 'gen_ai.tool.call.arguments': JSON.stringify(action) } : {};
    spans.start(run, 'action', {
      name: `execute_tool ${toolName(action)}`,
      kind: api.SpanKind.INTERNAL,
      startTime: timeOf(event),
      attributes: { ...actionAttributes(id, action), ...given },
    });
  }
  const span = spans.of(run, 'action');
  if (event.type === 'approval_decided') {
    span?.addEvent('skill.approval', { 'skill.approval.decision': event.decision.kind }, timeOf(event));
  }
  if (event.type !== 'observation_recorded') return;
  const exitCode = event.output['exit_code'];
  if (typeof exitCode === 'number') span?.setAttribute('process.exit.code', exitCode);
  if (options.content === true) span?.setAttribute('gen_ai.tool.call.result', event.content);
  if (event.error !== undefined) fail({ api, options }, span, event.error);
  spans.endOne(run, 'action', timeOf(event));
}

function skillSpan({ api, spans, options }: Tracing, event: RunEvent): void {
  if (event.type !== 'skill_activated' && event.type !== 'skill_read') return;
  const activated = event.type === 'skill_activated';
  const span = spans.begin(event.run, {
    name: activated ? 'skill.activate' : 'skill.read',
    kind: api.SpanKind.INTERNAL,
    startTime: timeOf(event),
    attributes: activated ? activationAttributes(event.activation) : readAttributes(event),
  });
  if (!activated && event.error !== undefined) fail({ api, options }, span, event.error);
  span.end(timeOf(event));
}

function fail({ api, options }: Pick<Tracing, 'api' | 'options'>, span: Span | undefined, error: RecordedError): void {
  span?.setAttributes(errorAttributes(error));
  const message = options.content === true ? { message: error.message } : {};
  span?.setStatus({ code: api.SpanStatusCode.ERROR, ...message });
}

function timeOf({ at }: RunEvent): Date {
  return new Date(at);
}

function messages(role: 'user' | 'assistant', content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
