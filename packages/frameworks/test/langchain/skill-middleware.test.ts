import { MemorySaver, Command } from '@langchain/langgraph';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool, ToolMessage, type HITLRequest } from 'langchain';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { skillMiddleware, type LangChainSkillPorts, type SharedSkillOptions } from '../../src/langchain.js';
import { makeRegistry, makeTool, ports, skillFiles } from '../known-skills.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

type Call = readonly [name: string, args: Record<string, unknown>];

/** The fake model of LangChain, with what it was offered at each call. */
function scripted(...answers: readonly (string | readonly Call[])[]) {
  const model = fakeModel();
  let turn = 0;
  for (const answer of answers) {
    turn += 1;
    if (typeof answer === 'string') model.respond(new AIMessage(answer));
    else model.respondWithTools(answer.map(([name, args]) => ({ name, args, id: `call-${turn}-${name}` })));
  }
  const offered: (readonly string[])[] = [];
  const bind = model.bindTools.bind(model);
  model.bindTools = (tools) => {
    offered.push(tools.map((one) => ('name' in one ? one.name : '')));
    return bind(tools);
  };
  return { model, offered };
}

const search = tool(() => 'nothing', { name: 'search', description: 'Searches.', schema: z.object({}) });

function makeAgent(
  { model }: Pick<ReturnType<typeof scripted>, 'model'>,
  {
    risks = { search: 'low' },
    skills = {},
    registry = makeRegistry(),
    checkpointer = new MemorySaver(),
  }: {
    risks?: SharedSkillOptions['risks'];
    skills?: Partial<LangChainSkillPorts>;
    registry?: ReturnType<typeof makeRegistry>;
    checkpointer?: MemorySaver;
  } = {},
) {
  const middleware = [skillMiddleware(registry, { ...ports, ...skills }, { risks })];
  return createAgent({ model, tools: [search], systemPrompt: 'You help.', middleware, checkpointer });
}

const asked = (text: string) => ({ messages: [new HumanMessage(text)] });
const thread = (id: string) => ({ configurable: { thread_id: id } });

test('SAA-21, SAA-23: three calls of the model: no tool of a skill; those of the first after it was read; those of both, each once, in the order of activation', async () => {
  const extract = makeTool('extract_pdf');
  const readPage = tool(() => 'page', { name: 'read_page', description: 'Reads a page.', schema: z.object({}) });
  const { model, offered } = scripted(
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  );
  const agent = makeAgent(
    { model },
    {
      skills: { skillTools: [makeTool('process_data'), readPage], groupedTools: { 'pdf-extractor': [extract] } },
    },
  );
  const { messages } = await agent.invoke(asked('Sum up.'), thread('1'));
  expect(messages.at(-1)?.text).toBe('Done.');
  expect(offered).toEqual([
    ['search', ...reading],
    ['search', ...reading, 'extract_pdf', 'read_page'],
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'],
  ]);
  for (const call of model.calls) {
    const system = call.messages[0]?.text ?? '';
    expect(system).toMatch(/^You help\.\n\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
  expect(new Set(model.calls.map(({ messages: sent }) => sent[0]?.text)).size).toBe(1);
});

const readPdf: readonly Call[] = [['read_skill', { skill_name: 'pdf-extractor' }]];
const extract: readonly Call[] = [['extract_pdf', { text: 'form.pdf' }]];

function toolMessages(messages: readonly object[]): readonly ToolMessage[] {
  return messages.filter((message) => ToolMessage.isInstance(message));
}

test('AGIO-07, AGIO-08: programs get all that a tool gives, and a model its content alone', async () => {
  const { model } = scripted(readPdf, 'Done.');
  const { messages } = await makeAgent({ model }).invoke(asked('Go.'), thread('1'));
  expect(toolMessages(messages)[0]?.artifact).toMatchObject({
    ok: true,
    contentForUser: 'The skill “pdf-extractor” has been activated.',
    output: { skill_name: 'pdf-extractor', success: true },
  });
  // What a provider is sent of a message is its content.
  const told = JSON.stringify(model.calls.map((call) => call.messages.map(({ content }) => content)));
  expect(told).toContain('one page at a time');
  expect(told).not.toContain('has been activated');
});

test('AGIO-09, AGIO-10: an unknown skill is an error that names those there are, and the agent goes on', async () => {
  const { model } = scripted([['read_skill', { skill_name: 'pfd' }]], 'Done.');
  const { messages } = await makeAgent({ model }).invoke(asked('Go.'), thread('1'));
  expect(toolMessages(messages)).toMatchObject([
    { status: 'error', content: expect.stringContaining('“data-processor”, “pdf-extractor”') },
  ]);
  expect(messages.at(-1)?.text).toBe('Done.');
});

test('a tool of the agent with the name of one that a skill brings is a mistake', async () => {
  const { model } = scripted('Done.');
  const groupedTools = { 'pdf-extractor': [makeTool('search')] };
  const answer = makeAgent({ model }, { skills: { groupedTools } }).invoke(asked('Go.'), thread('1'));
  await expect(answer).rejects.toThrow('Two tools have the name “search”.');
  const twice = { skillTools: [makeTool('extract_pdf'), makeTool('extract_pdf')] };
  expect(() => makeAgent({ model }, { skills: twice })).toThrow('Two tools have the name “extract_pdf”.');
});

test('a tool of the agent with the name of one that reads skills is used instead of it, and judged', async () => {
  const did: string[] = [];
  const own = tool(() => void did.push('own'), {
    name: 'read_skill',
    description: 'Reads.',
    schema: z.looseObject({}),
  });
  const { model } = scripted(readPdf, 'Done.');
  const middleware = skillMiddleware(makeRegistry(), ports);
  const agent = createAgent({ model, tools: [own], middleware: [middleware], checkpointer: new MemorySaver() });
  const first = await agent.invoke(asked('Go.'), thread('1'));
  expect([interruptsOf(first).length, did]).toEqual([1, []]);
  await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread('1'));
  expect(did).toEqual(['own']);
  expect(middleware.session('1').activations).toEqual([]);
});

test('SAA-17: over an empty registry a request is what it would be without', async () => {
  const { model, offered } = scripted('Done.');
  await makeAgent({ model }, { registry: makeRegistry({}) }).invoke(asked('Go.'), thread('1'));
  expect(offered).toEqual([['search']]);
  expect(model.calls[0]?.messages.map(({ text }) => text)).toEqual(['You help.', 'Go.']);
});

describe('SAA-12: one registry and one agent, for many conversations', () => {
  const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')], 'data-processor': [makeTool('process_data')] };

  test('two that are served at once see nothing of one another, with threads and without', async () => {
    for (const configs of [
      [thread('1'), thread('2')],
      [{}, {}],
    ]) {
      const model = fakeModel();
      const reply = (messages: readonly { readonly text: string; readonly type: string }[]): AIMessage => {
        if (messages.some(({ type }) => type === 'tool')) return new AIMessage('Done.');
        const pdf = messages.some(({ text }) => text === 'Read a PDF.');
        const args = { skill_name: pdf ? 'pdf-extractor' : 'data-processor' };
        return new AIMessage({ content: '', tool_calls: [{ name: 'read_skill', args, id: 'call_0' }] });
      };
      for (let call = 0; call < 4; call += 1) model.respond(reply);
      const offered: (readonly string[])[] = [];
      const bind = model.bindTools.bind(model);
      model.bindTools = (tools) => {
        offered.push(tools.flatMap((one) => ('name' in one && !reading.includes(one.name) ? [one.name] : [])));
        return bind(tools);
      };
      const [first = {}, second = {}] = configs;
      const agent = createAgent({
        model,
        tools: [search],
        middleware: [skillMiddleware(makeRegistry(), { ...ports, groupedTools })],
        ...('configurable' in first && { checkpointer: new MemorySaver() }),
      });
      await Promise.all([agent.invoke(asked('Read a PDF.'), first), agent.invoke(asked('Sum up.'), second)]);
      expect(offered).toHaveLength(4);
      expect(offered).toContainEqual(['search', 'extract_pdf']);
      expect(offered).toContainEqual(['search', 'process_data']);
    }
  });

  test('a thread goes on where it was, and a call without one begins anew', async () => {
    const { model, offered } = scripted(readPdf, 'One.', 'Two.', 'Three.');
    const agent = makeAgent({ model }, { skills: { groupedTools } });
    await agent.invoke(asked('Go.'), thread('1'));
    await agent.invoke(asked('And?'), thread('1'));
    await agent.invoke(asked('Go.'), thread('2'));
    expect(offered.map((names) => names.includes('extract_pdf'))).toEqual([false, true, true, false]);
  });
});

/** What an agent waits for. */
function interruptsOf(result: object): readonly { readonly value: HITLRequest }[] {
  // Cast: what LangGraph puts there, the types of an agent do not tell.
  return (result as Record<string, readonly { readonly value: HITLRequest }[]>)['__interrupt__'] ?? [];
}

test('a program reaches the skills of a thread: what it switches off there is off there alone', async () => {
  const { model } = scripted('One.', 'Two.');
  const middleware = skillMiddleware(makeRegistry(), ports);
  const agent = createAgent({ model, tools: [], middleware: [middleware], checkpointer: new MemorySaver() });
  await middleware.session('1').view.disable('pdf-extractor');
  for (const id of ['1', '2']) await agent.invoke(asked('Go.'), thread(id));
  const systems = model.calls.map(({ messages }) => messages[0]?.text.includes('pdf-extractor'));
  expect(systems).toEqual([false, true]);
});

describe('AGIO-15: what needs a yes', () => {
  const world = (files: Record<string, string> = { ...skillFiles }, ask: 'ask' | 'deny' = 'ask') => {
    const did: string[] = [];
    const { model } = scripted(readPdf, extract, 'Done.');
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf', { risk: 'medium', did })] };
    const middleware = skillMiddleware(
      makeRegistry(files),
      { ...ports, groupedTools },
      { permissions: { configured: { [ask]: ['extract_pdf'] } } },
    );
    return { did, agent: createAgent({ model, tools: [], middleware: [middleware], checkpointer: new MemorySaver() }) };
  };
  const answer = (decision: object) => new Command({ resume: { decisions: [decision] } });

  test('interrupts the agent as humanInTheLoopMiddleware does, and runs after a yes', async () => {
    const { did, agent } = world();
    const first = await agent.invoke(asked('Go.'), thread('1'));
    expect(interruptsOf(first).map(({ value }) => value)).toEqual([
      {
        actionRequests: [
          {
            name: 'extract_pdf',
            args: { text: 'form.pdf' },
            description: expect.stringMatching(/^Risk: medium\. On behalf of the skill “pdf-extractor”, sha256:/u),
          },
        ],
        reviewConfigs: [{ actionName: 'extract_pdf', allowedDecisions: ['approve', 'reject'] }],
      },
    ]);
    expect(did).toEqual([]);
    const { messages } = await agent.invoke(answer({ type: 'approve' }), thread('1'));
    expect(did).toEqual(['extract_pdf form.pdf']);
    expect(toolMessages(messages).at(-1)).toMatchObject({ content: 'extract_pdf did form.pdf', status: 'success' });
    expect(messages.at(-1)?.text).toBe('Done.');
  });

  test.each([{ type: 'reject', message: 'Not this one.' }, { type: 'edit' }, {}])(
    'is not done after %j',
    async (no) => {
      const { did, agent } = world();
      await agent.invoke(asked('Go.'), thread('1'));
      const { messages } = await agent.invoke(answer(no), thread('1'));
      expect(did).toEqual([]);
      const text = `Nobody said yes to this use of the tool. ${no.message ?? ''}`.trim();
      expect(toolMessages(messages).at(-1)).toMatchObject({ content: text, status: 'error' });
    },
  );

  test('is not done after answers to more than one question', async () => {
    const { did, agent } = world();
    await agent.invoke(asked('Go.'), thread('1'));
    const decisions = [{ type: 'approve' }, { type: 'reject' }];
    const { messages } = await agent.invoke(new Command({ resume: { decisions } }), thread('1'));
    expect(did).toEqual([]);
    expect(toolMessages(messages).at(-1)?.content).toContain('Nobody said yes');
  });

  test('is not done where the skill has changed since', async () => {
    const files: Record<string, string> = { ...skillFiles };
    const { did, agent } = world(files);
    await agent.invoke(asked('Go.'), thread('1'));
    files['pdf-extractor/scripts/new.sh'] = 'rm -rf .';
    const { messages } = await agent.invoke(answer({ type: 'approve' }), thread('1'));
    expect(did).toEqual([]);
    expect(toolMessages(messages).at(-1)?.content).toContain('has changed since somebody was asked');
  });

  test.each([
    ['with ids of their own', ['1', '2']],
    ['with one id', ['1', '1']],
  ])('is asked one after another: one yes is none to two uses, %s', async (_, ids) => {
    const did: string[] = [];
    const model = fakeModel();
    const use = (text: string, id: string | undefined) => ({ name: 'send', args: { text }, ...(id && { id }) });
    model.respondWithTools([use('one', ids[0]), use('two', ids[1])]);
    model.respondWithTools([use('two', '3')]);
    model.respond(new AIMessage('Done.'));
    const send = tool(({ text }) => void did.push(text), {
      name: 'send',
      description: 'Sends.',
      schema: z.object({ text: z.string() }),
    });
    const middleware = [skillMiddleware(makeRegistry(), ports)];
    const agent = createAgent({ model, tools: [send], middleware, checkpointer: new MemorySaver() });
    const first = await agent.invoke(asked('Go.'), thread('1'));
    expect(interruptsOf(first).map(({ value }) => value.actionRequests[0]?.args)).toEqual([{ text: 'one' }]);
    const second = await agent.invoke(answer({ type: 'approve' }), thread('1'));
    expect(did).toEqual(['one']);
    expect(toolMessages(second.messages)[1]?.content).toContain('Another question is open');
    expect(interruptsOf(second).map(({ value }) => value.actionRequests[0]?.args)).toEqual([{ text: 'two' }]);
    await agent.invoke(answer({ type: 'approve' }), thread('1'));
    expect(did).toEqual(['one', 'two']);
  });

  test('is not done after a yes to a question that was forgotten meanwhile, where a skill stands behind it', async () => {
    const did: string[] = [];
    const files: Record<string, string> = { ...skillFiles };
    const { model } = scripted(readPdf, extract, 'Other.', 'Done.');
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf', { risk: 'medium', did })] };
    const middleware = skillMiddleware(makeRegistry(files), { ...ports, groupedTools }, { maxConversations: 1 });
    const agent = createAgent({ model, tools: [], middleware: [middleware], checkpointer: new MemorySaver() });
    await agent.invoke(asked('Go.'), thread('1'));
    await agent.invoke(asked('Go.'), thread('2'));
    files['pdf-extractor/scripts/new.sh'] = 'rm -rf .';
    await middleware.session('1').call('pdf-extractor', '');
    const { messages } = await agent.invoke(answer({ type: 'approve' }), thread('1'));
    expect(did).toEqual([]);
    expect(toolMessages(messages).at(-1)?.content).toContain('nobody was asked');
  });

  test('and what is refused, is told to the model', async () => {
    const { did, agent } = world({ ...skillFiles }, 'deny');
    const { messages } = await agent.invoke(asked('Go.'), thread('1'));
    expect(did).toEqual([]);
    expect(toolMessages(messages).at(-1)?.content).toContain('does not allow this use of the tool “extract_pdf”');
  });

  test('SAA-23: and a tool that no skill has brought yet is not run, whoever names it', async () => {
    const did: string[] = [];
    const { model } = scripted(extract, 'Done.');
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf', { did })] };
    const { messages } = await makeAgent({ model }, { skills: { groupedTools } }).invoke(asked('Go.'), thread('1'));
    expect(did).toEqual([]);
    expect(toolMessages(messages)[0]?.content).toContain('No skill that was read brings the tool “extract_pdf”.');
  });

  test('tools of the agent are asked about where their risk is not told', async () => {
    const { model } = scripted([['search', {}]], 'Done.');
    const first = await makeAgent({ model }, { risks: {} }).invoke(asked('Go.'), thread('1'));
    expect(interruptsOf(first)).toHaveLength(1);
  });
});
