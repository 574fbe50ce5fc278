import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import type { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { conversationKey, skillSettings, type MastraSkillPorts, type SharedSkillOptions } from '../../src/mastra.js';
import { offeredTools, scriptedModel, systemTexts } from '../ai-sdk/scripted-model.js';
import { makeRegistry, makeTool, ports, skillFiles } from '../known-skills.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

/** Cast: to the types of Mastra, a model answers both calls with a stream; it takes those of the AI SDK as they are. */
function asMastraModel(model: MockLanguageModelV4): AgentConfig['model'] {
  return model as unknown as AgentConfig['model'];
}

function makeAgent(
  model: MockLanguageModelV4,
  skills: Partial<MastraSkillPorts> = {},
  options: SharedSkillOptions = {},
  registry = makeRegistry(),
) {
  const agent = new Agent({
    id: 'helper',
    name: 'Helper',
    instructions: 'You help.',
    model: asMastraModel(model),
    ...skillSettings(registry, { ...ports, ...skills }, options),
  });
  // A store, since a question waits there for its answer.
  return new Mastra({ agents: { helper: agent }, storage: new InMemoryStore(), logger: false }).getAgent('helper');
}

test('SAA-21, SAA-23: three steps: no tool of a skill; those of the first after it was read; those of both, each once, in the order of activation', async () => {
  const extract = makeTool('extract_pdf');
  const readPage = createTool({
    id: 'read_page',
    description: 'Reads a page.',
    inputSchema: z.object({}),
    execute: async () => 'page',
  });
  const model = scriptedModel([
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  ]);
  const agent = makeAgent(model, {
    tools: [makeTool('search')],
    skillTools: { process_data: makeTool('process_data'), read_page: readPage },
    groupedTools: { 'pdf-extractor': [extract] },
  });
  const { text } = await agent.generate('Sum up.');
  expect(text).toBe('Done.');
  expect(offeredTools(model)).toEqual([
    ['search', ...reading],
    ['search', ...reading, 'extract_pdf', 'read_page'],
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'],
  ]);
  for (const system of systemTexts(model)) {
    expect(system).toMatch(/^You help\.\n---\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
  expect(new Set(systemTexts(model)).size).toBe(1);
});

const readPdf = [['read_skill', { skill_name: 'pdf-extractor' }]] as const;
const extract = [['extract_pdf', { text: 'form.pdf' }]] as const;

test('AGIO-07, AGIO-08: programs get all that a tool gives, and a model its content alone', async () => {
  const model = scriptedModel([readPdf, 'Done.']);
  const { toolResults } = await makeAgent(model).generate('Go.');
  expect(toolResults.map(({ payload }) => payload.result)).toMatchObject([
    {
      ok: true,
      contentForUser: 'The skill “pdf-extractor” has been activated.',
      output: { skill_name: 'pdf-extractor', success: true },
    },
  ]);
  const told = JSON.stringify(model.doGenerateCalls);
  expect(told).toContain('one page at a time');
  expect(told).not.toContain('has been activated');
});

test('AGIO-09, AGIO-10: an unknown skill is an error that names those there are, and the agent goes on', async () => {
  const model = scriptedModel([[['read_skill', { skill_name: 'pfd' }]], 'Done.']);
  expect((await makeAgent(model).generate('Go.')).text).toBe('Done.');
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('“data-processor”, “pdf-extractor”');
});

test('SAA-17: over an empty registry a request is what it would be without', async () => {
  const model = scriptedModel(['Done.']);
  await makeAgent(model, { tools: [makeTool('search')] }, {}, makeRegistry({})).generate('Go.');
  expect([systemTexts(model), offeredTools(model)]).toEqual([['You help.'], [['search']]]);
});

describe('SAA-12: one registry and one agent, for many conversations', () => {
  test('two that are served at once see nothing of one another', async () => {
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')], 'data-processor': [makeTool('process_data')] };
    const model = scriptedModel(({ prompt }) => {
      const pdf = JSON.stringify(prompt).includes('Read a PDF');
      if (prompt.some(({ role }) => role === 'tool')) return 'Done.';
      return [['read_skill', { skill_name: pdf ? 'pdf-extractor' : 'data-processor' }]];
    });
    const agent = makeAgent(model, { groupedTools });
    await Promise.all([agent.generate('Read a PDF.'), agent.generate('Sum up.')]);
    const offered = model.doGenerateCalls.map(({ prompt, tools = [] }) => ({
      pdf: JSON.stringify(prompt).includes('Read a PDF'),
      brought: tools.map(({ name }) => name).filter((name) => !reading.includes(name)),
    }));
    expect(offered.filter(({ pdf }) => pdf).map(({ brought }) => brought)).toEqual([[], ['extract_pdf']]);
    expect(offered.filter(({ pdf }) => !pdf).map(({ brought }) => brought)).toEqual([[], ['process_data']]);
  });

  test('a conversation goes on where it was, by the id in its request context', async () => {
    const model = scriptedModel([readPdf, 'One.', 'Two.', 'Three.']);
    const agent = makeAgent(model, { groupedTools: { 'pdf-extractor': [makeTool('extract_pdf')] } });
    const context = (id: string) => new RequestContext([[conversationKey, id]]);
    await agent.generate('Go.', { requestContext: context('one') });
    await agent.generate('And?', { requestContext: context('one') });
    await agent.generate('Go.', { requestContext: context('other') });
    expect(offeredTools(model).map((names) => names.includes('extract_pdf'))).toEqual([false, true, true, false]);
  });
});

test('SAA-21: a conversation that was cut takes no tool away, and the skill stays in force without its text', async () => {
  const model = scriptedModel([readPdf, 'Done.', 'Again.']);
  const agent = makeAgent(model, { groupedTools: { 'pdf-extractor': [makeTool('extract_pdf')] } });
  const requestContext = new RequestContext([[conversationKey, 'one']]);
  for (const text of ['Go.', 'And now?']) await agent.generate(text, { requestContext });
  expect(offeredTools(model).map((names) => names.includes('extract_pdf'))).toEqual([false, true, true]);
  expect(systemTexts(model).map((text) => /<skill_rest[^>]*pdf-extractor/u.test(text))).toEqual([false, false, true]);
});

test('tools that come from elsewhere are offered as well', async () => {
  const model = scriptedModel([readPdf, 'Done.']);
  const extra = createTool({ id: 'extra', description: 'More.', inputSchema: z.object({}), execute: async () => '' });
  await makeAgent(model).generate('Go.', { toolsets: { elsewhere: { extra } } });
  expect(offeredTools(model)).toEqual([
    [...reading, 'extra'],
    [...reading, 'extra'],
  ]);
});

test('a program reaches the skills of a conversation: what it switches off there is off there alone', async () => {
  const settings = skillSettings(makeRegistry(), ports);
  await settings.session('one').view.disable('pdf-extractor');
  const seen = async (id: string) => {
    const model = scriptedModel(['Done.']);
    const agent = new Agent({ id: 'a', name: 'A', instructions: '', model: asMastraModel(model), ...settings });
    await agent.generate('Go.', { requestContext: new RequestContext([[conversationKey, id]]) });
    return systemTexts(model)[0]?.includes('pdf-extractor');
  };
  expect([await seen('one'), await seen('other')]).toEqual([false, true]);
});

describe('AGIO-15: what needs a yes', () => {
  const asking = (did: string[]): Partial<MastraSkillPorts> => ({
    groupedTools: { 'pdf-extractor': [makeTool('extract_pdf', { risk: 'medium', did })] },
  });
  const permissions = { configured: { ask: ['extract_pdf'] } };
  const toldLast = ({ doGenerateCalls }: MockLanguageModelV4): string =>
    JSON.stringify(
      doGenerateCalls
        .at(-1)
        ?.prompt.filter(({ role }) => role === 'tool')
        .at(-1)?.content,
    );

  test('waits for it as Mastra lets it, runs after a yes, and the conversation goes on with its skills', async () => {
    const did: string[] = [];
    const model = scriptedModel([readPdf, extract, 'Done.']);
    const agent = makeAgent(model, asking(did), { permissions });
    const requestContext = new RequestContext([[conversationKey, 'one']]);
    const { finishReason, runId } = await agent.generate('Go.', { requestContext });
    expect([finishReason, did]).toEqual(['suspended', []]);
    const answer = { runId: runId!, toolCallId: 'call-2-extract_pdf', requestContext };
    const { text } = await agent.approveToolCallGenerate(answer);
    expect([text, did]).toEqual(['Done.', ['extract_pdf form.pdf']]);
    expect(toldLast(model)).toContain('extract_pdf did form.pdf');
    expect(offeredTools(model).map((names) => names.includes('extract_pdf'))).toEqual([false, true, true]);
  });

  test('runs after a yes that another instance over the same storage takes', async () => {
    const did: string[] = [];
    const model = scriptedModel([readPdf, extract, 'Done.']);
    const settings = skillSettings(makeRegistry(), { ...ports, ...asking(did) }, { permissions });
    const storage = new InMemoryStore();
    const instance = () => {
      const helper = new Agent({ id: 'helper', name: 'A', instructions: '', model: asMastraModel(model), ...settings });
      return new Mastra({ agents: { helper }, storage, logger: false }).getAgent('helper');
    };
    const requestContext = new RequestContext([[conversationKey, 'one']]);
    const { runId } = await instance().generate('Go.', { requestContext });
    const answer = { runId: runId!, toolCallId: 'call-2-extract_pdf' };
    await instance().approveToolCallGenerate({
      ...answer,
      requestContext: new RequestContext([[conversationKey, 'one']]),
    });
    expect(did).toEqual(['extract_pdf form.pdf']);
  });

  test('is not done after a no', async () => {
    const did: string[] = [];
    const model = scriptedModel([readPdf, extract, 'Done.']);
    const agent = makeAgent(model, asking(did), { permissions });
    const { runId } = await agent.generate('Go.');
    const answer = { runId: runId!, toolCallId: 'call-2-extract_pdf', reason: 'Not this one.' };
    expect((await agent.declineToolCallGenerate(answer)).text).toBe('Done.');
    expect(did).toEqual([]);
    expect(toldLast(model)).toContain('Not this one.');
  });

  test('is not done where the skill has changed since', async () => {
    const did: string[] = [];
    const files: Record<string, string> = { ...skillFiles };
    const model = scriptedModel([readPdf, extract, 'Done.']);
    const agent = makeAgent(model, asking(did), { permissions }, makeRegistry(files));
    const { runId } = await agent.generate('Go.');
    files['pdf-extractor/scripts/new.sh'] = 'rm -rf .';
    await agent.approveToolCallGenerate({ runId: runId!, toolCallId: 'call-2-extract_pdf' });
    expect(did).toEqual([]);
    expect(toldLast(model)).toContain('has changed since somebody was asked');
  });

  test('and what is refused, is told to the model', async () => {
    const did: string[] = [];
    const model = scriptedModel([readPdf, extract, 'Done.']);
    const agent = makeAgent(model, asking(did), { permissions: { configured: { deny: ['extract_pdf'] } } });
    expect((await agent.generate('Go.')).text).toBe('Done.');
    expect(did).toEqual([]);
    expect(toldLast(model)).toContain('The configuration does not allow this use of the tool “extract_pdf”');
  });

  test('runs after a yes with what the schema of the tool adds to its input', async () => {
    const given: unknown[] = [];
    const inputSchema = z.object({ text: z._default(z.string(), 'all') });
    const send = createTool({
      id: 'send',
      description: 'Sends.',
      inputSchema,
      execute: async (input) => void given.push(input),
    });
    const agent = makeAgent(scriptedModel([[['send', {}]], 'Done.']), { tools: { send } });
    const { runId } = await agent.generate('Go.');
    await agent.approveToolCallGenerate({ runId: runId!, toolCallId: 'call-1-send' });
    expect(given).toEqual([{ text: 'all' }]);
  });

  test('a tool of Mastra that is refused is not run', async () => {
    const did: string[] = [];
    const send = createTool({
      id: 'send',
      description: 'Sends.',
      inputSchema: z.object({}),
      execute: async () => void did.push('sent'),
    });
    const model = scriptedModel([[['send', {}]], 'Done.']);
    const options = { permissions: { configured: { deny: ['send'] } } };
    expect((await makeAgent(model, { tools: { send } }, options).generate('Go.')).text).toBe('Done.');
    expect(did).toEqual([]);
    expect(toldLast(model)).toContain('The configuration does not allow this use of the tool “send”');
  });

  test('a tool of Mastra keeps what it asks itself, and is asked about where its risk is not told', async () => {
    const look = (requireApproval: boolean) =>
      createTool({
        id: 'look',
        description: 'Looks.',
        inputSchema: z.object({}),
        requireApproval,
        execute: async () => 'seen',
      });
    const reasons = async (tool: ReturnType<typeof look>, options: SharedSkillOptions) => {
      const model = scriptedModel([[['look', {}]], 'Done.']);
      return (await makeAgent(model, { tools: { look: tool } }, options).generate('Go.')).finishReason;
    };
    expect(await reasons(look(false), {})).toBe('suspended');
    expect(await reasons(look(true), { risks: { look: 'low' } })).toBe('suspended');
    expect(await reasons(look(false), { risks: { look: 'low' } })).toBe('stop');
  });
});
