import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { ModelUsage } from '../../model/model-adapter.js';
import { usageAttributes } from './span-attributes.js';
import type { TelemetryApi } from './telemetry-api.js';

/** What of a run is under way: a request, and in it a model call or an action. */
export type SpanRole = 'request' | 'model' | 'action';

/** A span that begins. */
export interface NewSpan extends SpanOptions {
  readonly name: string;
}

/** The spans of a run and its child runs that are under way, each within the right other one. */
export class RunSpans {
  readonly #api: TelemetryApi;
  readonly #tracer: Tracer;
  readonly #open = new Map<string, Map<SpanRole, Span>>();
  readonly #parents = new Map<string, string>();
  readonly #usage = new Map<string, ModelUsage>();

  constructor(api: TelemetryApi, tracer: Tracer) {
    this.#api = api;
    this.#tracer = tracer;
  }

  /** A child run: its spans are within the action of its parent. */
  adopt(run: string, parent: string): void {
    this.#parents.set(run, parent);
  }

  isChild(run: string): boolean {
    return this.#parents.has(run);
  }

  of(run: string, role: SpanRole): Span | undefined {
    return this.#open.get(run)?.get(role);
  }

  /** Begins a span that the run goes on with. One of the same role that was never ended ends. */
  start(run: string, role: SpanRole, span: NewSpan): void {
    this.of(run, role)?.end(span.startTime);
    const begun = this.begin(run, span, role);
    const open = this.#open.get(run) ?? new Map<SpanRole, Span>();
    this.#open.set(run, open.set(role, begun));
  }

  /** Begins a span within what is under way. */
  begin(run: string, { name, ...options }: NewSpan, role?: SpanRole): Span {
    return this.#tracer.startSpan(name, options, this.#contextFor(run, role));
  }

  endOne(run: string, role: SpanRole, at: Date): void {
    this.of(run, role)?.end(at);
    this.#open.get(run)?.delete(role);
  }

  /** Ends everything of a run. */
  end(run: string, at: Date): void {
    for (const role of ['model', 'action', 'request'] as const) this.endOne(run, role, at);
    this.#usage.delete(run);
  }

  /** Ends everything of a run that is over, of which a long one may have many below it. */
  forget(run: string, at: Date): void {
    this.end(run, at);
    this.#open.delete(run);
    this.#parents.delete(run);
  }

  addUsage(run: string, usage: ModelUsage): void {
    const { inputTokens = 0, outputTokens = 0 } = this.#usage.get(run) ?? {};
    this.#usage.set(run, {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
    });
    const parent = this.#parents.get(run);
    if (parent !== undefined) this.addUsage(parent, usage);
  }

  /** Of all model calls of the request that is under way. */
  usageOf(run: string): Attributes {
    const usage = this.#usage.get(run);
    return usage === undefined ? {} : usageAttributes(usage);
  }

  #contextFor(run: string, role: SpanRole | undefined): Context {
    const { context, trace } = this.#api;
    const own = role === undefined ? this.of(run, 'action') : undefined;
    const around = own ?? (role === 'request' ? undefined : this.of(run, 'request')) ?? this.#around(run);
    return around === undefined ? context.active() : trace.setSpan(context.active(), around);
  }

  #around(run: string): Span | undefined {
    const parent = this.#parents.get(run);
    return parent === undefined ? undefined : (this.of(parent, 'action') ?? this.of(parent, 'request'));
  }
}
