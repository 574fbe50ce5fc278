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
import { echoRunner, yes } from '../agent/scripts-world.js';

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

/** A trace as a table: milliseconds from the first event, and the name, further in for each level. */
function tableOf(spans: readonly ReadableSpan[], from: number): readonly string[] {
  const ids = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const levelOf = ({ parentSpanContext }: ReadableSpan): number => {
    const parent = ids.get(parentSpanContext?.spanId ?? '');
    return parent === undefined ? 0 : 1 + levelOf(parent);
  };
  const milliseconds = ([seconds, nanos]: OpenTelemetry.HrTime) => seconds * 1000 + Math.round(nanos / 1e6) - from;
  return spans
    .toSorted((left, right) => milliseconds(left.startTime) - milliseconds(right.startTime))
    .map((span) => {
      const level = '  '.repeat(levelOf(span));
      return `${level}${milliseconds(span.startTime)}-${milliseconds(span.endTime)} ${span.name}`;
    });
}

test('each span says what the events said of it, and nothing else, also of what was used, approved and ended badly', async () => {
  let now = 1_790_000_000_000;
  const from = now + 10;
  const script = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'forms.md', args: [] } as const;
  const world = agentWorld(
    [
      select('pdf'),
      script,
      { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'SKILL.md' },
      select('report'),
      answer('The child is done.'),
      answer('It says hello.'),
    ],
    {
      files,
      skillTools: [echoTool('look')],
      usage: { cachedInputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3, cost: 0.25 },
      runner: echoRunner({ exitCode: 3 }),
      approver: yes('once'),
      clock: { now: () => (now += 10) },
    },
  );
  const { registry } = world.ports;
  const ofPack = {
    ...registry,
    index: async () => {
      const index = await registry.index();
      return { ...index, skills: index.skills.map((entry) => ({ ...entry, pack: 'org/office' })) };
    },
  };
  exporter.reset();
  const onEvent = traceRun(api, { tracer: provider.getTracer('test'), content: true });
  const run = await startRun({ ...world.ports, registry: ofPack }, named({ onEvent }));
  await run.ask('What now?');
  await run.finish();
  const spans = exporter.getFinishedSpans();
  expect(tableOf(spans, from)).toStrictEqual([
    '10-550 invoke_agent',
    '  30-40 chat replies',
    '  50-90 execute_tool select_skills',
    '    60-60 skill.read',
    '    70-70 skill.read',
    '    80-80 skill.activate',
    '  120-130 chat replies',
    '  140-200 execute_tool run_script',
    '    150-150 skill.read',
    '  230-240 chat replies',
    '  250-270 execute_tool load_resource',
    '    260-260 skill.read',
    '  300-310 chat replies',
    '  320-480 execute_tool select_skills',
    '    330-330 skill.read',
    '    340-340 skill.read',
    '    350-350 skill.activate',
    '    370-450 invoke_agent',
    '      380-380 skill.activate',
    '      410-420 chat replies',
    '  510-520 chat replies',
  ]);
  expect(new Set(spans.flatMap(({ name, kind }) => (kind === api.SpanKind.CLIENT ? [name] : [])))).toStrictEqual(
    new Set(['chat replies']),
  );
  const ofId = (id: string) => spans.find(({ attributes }) => attributes['gen_ai.tool.call.id'] === id);
  expect(ofId('a2')).toMatchObject({
    status: { code: api.SpanStatusCode.ERROR, message: 'forms.md ended with exit code 3.' },
    events: [{ name: 'skill.approval', attributes: { 'skill.approval.decision': 'approved' } }],
  });
  expect(ofId('a2')?.attributes).toStrictEqual({
    'error.type': 'EXIT_NONZERO',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.skill.name': 'pdf',
    'gen_ai.skill.resource.name': 'forms.md',
    'gen_ai.tool.call.arguments': JSON.stringify(script),
    'gen_ai.tool.call.id': 'a2',
    'gen_ai.tool.call.result': world.of('observation_recorded')[1]?.content,
    'gen_ai.tool.name': 'run_script',
    'gen_ai.tool.type': 'extension',
    'process.exit.code': 3,
  });
  expect(ofId('a1')?.attributes).not.toHaveProperty('gen_ai.skill.name');
  const [first] = spans.filter(({ name }) => name === 'chat replies');
  expect(first?.attributes).toStrictEqual({
    'gen_ai.conversation.id': 'run',
    'gen_ai.operation.name': 'chat',
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: JSON.stringify({ action: select('pdf') }) }] },
    ]),
    'gen_ai.provider.name': 'test',
    'gen_ai.request.model': 'replies',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.cache_read.input_tokens': 4,
    'gen_ai.usage.cache_creation.input_tokens': 2,
    'gen_ai.usage.reasoning.output_tokens': 3,
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 5,
    'skill.usage.cost': 0.25,
  });
  const activated = spans.filter(({ name }) => name === 'skill.activate').map(({ attributes }) => attributes);
  const [{ digest } = { digest: '' }] = world.of('skill_activated').map(({ activation }) => activation);
  expect(activated[0]).toStrictEqual({
    'gen_ai.skill.name': 'pdf',
    'gen_ai.skill.source.uri': 'memory:/pdf',
    'skill.activated_by': 'model',
    'skill.digest': digest,
    'skill.pack': 'org/office',
    'skill.run_mode': 'inline',
    'skill.scope': 'builtin',
    'skill.tools': [],
    'skill.turn': 1,
  });
  const [own, list] = spans.filter(({ name }) => name === 'skill.read').map(({ attributes }) => attributes);
  expect(own).toMatchObject({ 'gen_ai.skill.resource.name': 'SKILL.md', 'skill.digest': digest, 'skill.size': 63 });
  expect(list).toMatchObject({ 'gen_ai.skill.resource.name': '(list of files)' });
  const asked = spans.filter(({ name }) => name === 'invoke_agent').map(({ attributes }) => attributes);
  expect(asked).toMatchObject([
    // A child's tokens are its parent's, too.
    { 'gen_ai.conversation.id': 'run/1', 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 },
    { 'gen_ai.conversation.id': 'run', 'gen_ai.usage.input_tokens': 60, 'gen_ai.usage.output_tokens': 30 },
  ]);
  expect(asked[1]?.['gen_ai.input.messages']).toBe('[{"role":"user","parts":[{"type":"text","content":"What now?"}]}]');
});

test('without a tracer of its own, spans go to the global provider; a tool is called a function', async () => {
  api.trace.setGlobalTracerProvider(provider);
  try {
    const world = agentWorld([{ kind: 'call_tool', tool: 'look', input: {} }, answer('Done.')], {
      tools: [echoTool('look')],
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    exporter.reset();
    const run = await startRun(
      { ...world.ports, model: { ...world.model, name: 'local' } },
      named({ onEvent: traceRun(api) }),
    );
    await run.ask('Look.');
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map(({ instrumentationScope }) => instrumentationScope.name))).toStrictEqual(
      new Set(['@skillpack/core']),
    );
    const of = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(of('execute_tool look')).toMatchObject({ 'gen_ai.tool.type': 'function' });
    expect(of('chat local')).toMatchObject({ 'gen_ai.provider.name': 'local', 'gen_ai.request.model': 'local' });
    expect(of('chat local')).not.toHaveProperty('skill.usage.cost');
  } finally {
    api.trace.disable();
  }
});

test('a tracer that throws ends no run, and is told of once', async () => {
  const failing = {
    startSpan: () => {
      throw new Error('There is no collector.');
    },
  };
  const told: string[] = [];
  const diag = { error: (message: string) => told.push(message) };
  const world = agentWorld([select('pdf'), answer('Done.')], { files });
  // Casts: no more of them is used.
  const onEvent = traceRun({ ...api, diag: diag as never }, { tracer: failing as never });
  const run = await startRun(world.ports, named({ onEvent }));
  expect(await run.ask('Go.')).toMatchObject({ text: 'Done.' });
  await run.finish();
  expect(world.types().at(-1)).toBe('run_finished');
  expect(told).toEqual(['A tracer failed: There is no collector.']);
});
