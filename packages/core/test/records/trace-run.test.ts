import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as OpenTelemetry from '@opentelemetry/api';
import type * as ContextHooks from '@opentelemetry/context-async-hooks';
import type * as TraceSdk from '@opentelemetry/sdk-trace-base';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumeRun, SkillsError, startRun, type AgentOptions, type Digest, type RunEvent } from '../../src/index.js';
import { traceRun, type TraceOptions } from '../../src/telemetry.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type Reply } from '../agent/agent-world.js';

// The conditions of the tests choose modules of these packages that only bundlers can read.
const bundle = fileURLToPath(new URL(`../../node_modules/.cache/telemetry-${process.pid}.cjs`, import.meta.url));
const packages = ['api', 'context-async-hooks', 'sdk-trace-base'].map((name) => `...require('@opentelemetry/${name}')`);
await build({
  stdin: { contents: `module.exports = { ${packages.join(', ')} };`, resolveDir: import.meta.dirname },
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'silent',
});
const api = createRequire(import.meta.url)(bundle) as typeof OpenTelemetry & typeof ContextHooks & typeof TraceSdk;
const { AsyncLocalStorageContextManager, BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = api;
type ReadableSpan = TraceSdk.ReadableSpan;

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const manager = new AsyncLocalStorageContextManager();

beforeAll(() => {
  api.context.setGlobalContextManager(manager.enable());
});
afterAll(async () => {
  api.context.disable();
  await provider.shutdown();
  rmSync(bundle, { force: true });
});

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Read forms.md.'),
  'pdf/forms.md': 'Fill them with care.',
  'report/SKILL.md': skillFile('report', 'Write it.', { 'run-mode': 'subagent' }),
};

async function trace(
  replies: readonly Reply[],
  options: TraceOptions & { readonly agentOptions?: Partial<AgentOptions> } = {},
): Promise<{ readonly spans: readonly ReadableSpan[]; readonly events: readonly RunEvent[]; readonly parent: string }> {
  exporter.reset();
  const tracer = provider.getTracer('test');
  const onEvent = traceRun(api, { tracer, ...options });
  let now = 1_790_000_000_000;
  const failing = echoTool('failing', {
    run: () => ({ ok: false, error: { code: 'FILE_NOT_FOUND', message: 'No secret.txt.' } }),
  });
  const world = agentWorld(replies, { files, tools: [failing], clock: { now: () => (now += 10) } });
  const run = await startRun(world.ports, named({ ...options.agentOptions, onEvent }));
  const outer = tracer.startSpan('outer');
  await api.context.with(api.trace.setSpan(api.context.active(), outer), async () => run.ask('What of secret.txt?'));
  outer.end();
  await run.finish();
  return { spans: exporter.getFinishedSpans(), events: world.events, parent: outer.spanContext().spanId };
}

const replies: readonly Reply[] = [
  new SkillsError('NETWORK_ERROR', 'Gone.'),
  select('pdf'),
  { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'forms.md' },
  { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'gone.md' },
  { kind: 'call_tool', tool: 'failing', input: { key: 'private' } },
  select('report'),
  answer('The child is done.'),
  answer('It says hello.'),
];

test('a run has spans for its request, model calls, actions and skills, each within the right one, with times of the events', async () => {
  const { spans, events, parent } = await trace(replies, { agent: 'reader' });
  const nameOf = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id)?.name;
  const tree = spans.map((span) => `${nameOf(span.parentSpanContext?.spanId) ?? ''} > ${span.name}`);
  expect(new Set(tree)).toStrictEqual(
    new Set([
      ' > outer',
      'outer > invoke_agent reader',
      'invoke_agent reader > chat replies',
      'invoke_agent reader > execute_tool select_skills',
      'invoke_agent reader > execute_tool load_resource',
      'invoke_agent reader > execute_tool failing',
      'execute_tool select_skills > skill.read',
      'execute_tool select_skills > skill.activate',
      'execute_tool load_resource > skill.read',
      'execute_tool select_skills > invoke_agent reader',
      'invoke_agent reader > skill.activate',
    ]),
  );
  const request = spans.find((span) => span.parentSpanContext?.spanId === parent);
  const milliseconds = ([seconds, nanos]: OpenTelemetry.HrTime) => seconds * 1000 + nanos / 1e6;
  const timeOf = (type: RunEvent['type'], run = 'run') =>
    Date.parse(events.findLast((event) => event.type === type && event.run === run)?.at ?? '');
  expect(milliseconds(request!.startTime)).toBe(timeOf('request_received'));
  expect(milliseconds(request!.endTime)).toBe(timeOf('request_answered'));
  expect(request?.attributes).toStrictEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': 'run',
    'gen_ai.agent.name': 'reader',
    'gen_ai.provider.name': 'test',
    'gen_ai.request.model': 'replies',
    'gen_ai.usage.input_tokens': 70,
    'gen_ai.usage.output_tokens': 35,
    'skill.run.stop': 'final_answer',
    'skill.run.degraded': false,
  });
  const chats = spans.filter(({ name }) => name === 'chat replies');
  expect(chats.map(({ status, attributes }) => [status.code, attributes['error.type']]).slice(0, 2)).toStrictEqual([
    [api.SpanStatusCode.ERROR, 'NETWORK_ERROR'],
    [api.SpanStatusCode.UNSET, undefined],
  ]);
  expect(chats[1]?.kind).toBe(api.SpanKind.CLIENT);
  expect(chats[1]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  const activate = spans.find(({ name }) => name === 'skill.activate');
  expect(activate?.attributes).toMatchObject({
    'gen_ai.skill.name': 'pdf',
    'gen_ai.skill.source.uri': 'memory:/pdf',
    'skill.activated_by': 'model',
  });
  const tool = spans.find(({ name }) => name === 'execute_tool failing');
  expect(tool?.attributes).toMatchObject({
    'gen_ai.tool.name': 'failing',
    'gen_ai.tool.call.id': 'a4',
    'error.type': 'FILE_NOT_FOUND',
  });
  expect(spans.every(({ ended }) => ended)).toBe(true);
});

test('what was asked, said, given and answered is in no span unless that is asked for', async () => {
  const words = ['secret.txt', 'private', 'It says hello.', 'Fill them'];
  const textOf = ({ spans }: { readonly spans: readonly ReadableSpan[] }) =>
    JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
  const quiet = textOf(await trace(replies));
  for (const word of words) expect(quiet).not.toContain(word);
  const full = textOf(await trace(replies, { content: true }));
  for (const word of words) expect(full).toContain(word);
});

test('a request that was given up, and one that another process had received, have spans too', async () => {
  const { spans, events } = await trace(['nonsense'], { agentOptions: { limits: { turns: 1 } } });
  const request = spans.find(({ name }) => name === 'invoke_agent');
  expect(request?.status.code).toBe(api.SpanStatusCode.ERROR);
  expect(request?.attributes).toMatchObject({ 'error.type': 'max_turns', 'skill.run.degraded': true });
  expect(request?.events.map(({ name }) => name)).toStrictEqual(['skill.decision_rejected']);
  exporter.reset();
  const later = traceRun(api, { tracer: provider.getTracer('test') });
  for (const event of events.slice(events.findIndex(({ type }) => type === 'turn_started'))) later(event);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toStrictEqual(['chat unknown', 'invoke_agent']);
});

test('a request that a resumed run did not go on with has a span of its own, traced afterwards, too', async () => {
  const world = agentWorld([select('pdf'), answer('Other.')], { files });
  await (await startRun(world.ports, named())).ask('First?');
  const length = world.types().indexOf('turn_finished') + 1;
  const next = agentWorld([answer('Other.')], { files });
  for (const bytes of world.journal.kept.values()) await next.journal.keep(bytes);
  for (const event of world.events.slice(0, length)) await next.journal.append(event);
  const record = { events: [...next.events], kept: async (digest: Digest) => next.journal.kept.get(digest) };
  const model = { ...next.model, name: 'test:other' };
  await (await resumeRun(record, { ...next.ports, model })).ask('Another?');
  exporter.reset();
  const tell = traceRun(api, { tracer: provider.getTracer('test') });
  for (const event of next.events) tell(event);
  const requests = exporter.getFinishedSpans().filter(({ name }) => name === 'invoke_agent');
  expect(requests.map(({ attributes }) => attributes['gen_ai.request.model'])).toStrictEqual(['replies', 'other']);
  expect(requests.map(({ attributes }) => attributes['skill.run.stop'])).toStrictEqual([undefined, 'final_answer']);
});
