import {
  convertToModelMessages,
  createAgentUIStream,
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { skillAgentSettings, skillTools } from '../../src/ai-sdk.js';
import { makeRegistry, makeTool, pdfText, ports, skillFiles } from '../known-skills.js';
import { offeredTools, scriptedModel, systemTexts } from './scripted-model.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

test('SAA-21, SAA-23: three steps: no tool of a skill; those of the first after it was read; those of both, each once, in the order of activation', async () => {
  const extract = makeTool('extract_pdf');
  const model = scriptedModel([
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  ]);
  const skills = skillTools(makeRegistry(), {
    ...ports,
    tools: [makeTool('search')],
    skillTools: [makeTool('process_data'), makeTool('read_page'), extract],
    groupedTools: { 'pdf-extractor': [extract] },
  });
  const { text } = await generateText({
    model,
    prompt: 'Sum up.',
    instructions: 'You help.',
    stopWhen: isStepCount(9),
    ...skills,
  });
  expect(text).toBe('Done.');
  expect(offeredTools(model)).toEqual([
    ['search', ...reading],
    ['search', ...reading, 'extract_pdf', 'read_page'],
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'],
  ]);
  for (const system of systemTexts(model)) {
    expect(system).toMatch(/^You help\.\n\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
  // The bodies stand in the conversation: the instructions stay the same, and what providers keep of them holds.
  expect(new Set(systemTexts(model)).size).toBe(1);
});

const readPdf = [['read_skill', { skill_name: 'pdf-extractor' }]] as const;

test('a ToolLoopAgent takes them as they are, and streamText does', async () => {
  const model = scriptedModel([readPdf, 'Done.']);
  const agent = new ToolLoopAgent({ model, instructions: 'You help.', ...skillTools(makeRegistry(), ports) });
  expect((await agent.generate({ prompt: 'Which fields?' })).text).toBe('Done.');

  const streamed = scriptedModel([readPdf, 'Done.']);
  const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
  const skills = skillTools(makeRegistry(), { ...ports, groupedTools });
  const result = streamText({ model: streamed, prompt: 'Which fields?', stopWhen: isStepCount(9), ...skills });
  expect(await result.text).toBe('Done.');
  expect(offeredTools(streamed)).toEqual([reading, [...reading, 'extract_pdf']]);
});

test('SAA-17: over an empty registry a request is what it would be without', async () => {
  const search = makeTool('search');
  const [with_, without] = [scriptedModel(['Done.']), scriptedModel(['Done.'])];
  const request = { prompt: 'Hello', instructions: 'You help.', temperature: 0 };
  const { tools } = skillTools(makeRegistry({}), { ...ports, tools: [search] });
  await generateText({ model: with_, ...request, ...skillTools(makeRegistry({}), { ...ports, tools: [search] }) });
  const { search: alone } = tools as Record<string, (typeof tools)[never]>;
  await generateText({ model: without, ...request, tools: { search: alone! } });
  const [one, other] = [with_, without].map(({ doGenerateCalls }) => doGenerateCalls[0]);
  expect([one?.prompt, one?.tools, one?.toolChoice]).toEqual([other?.prompt, other?.tools, other?.toolChoice]);
});

test('SAA-20: before it is read, the model sees the name, description and folder of a skill', async () => {
  const model = scriptedModel([readPdf, 'Done.']);
  await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(9), ...skillTools(makeRegistry(), ports) });
  const [first, second] = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
  expect(first).toContain('Extracts the text of PDF files.');
  expect(first).not.toContain('one page at a time');
  expect(second).toContain('one page at a time');
});

test('SAA-21: a conversation that was cut takes no tool away, and the skill stays in force without its text', async () => {
  const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
  const model = scriptedModel([readPdf, 'Done.', 'Again.']);
  const skills = skillTools(makeRegistry(), { ...ports, groupedTools });
  await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(9), ...skills });
  await generateText({ model, prompt: 'And now?', ...skills });
  expect(offeredTools(model).map((names) => names.includes('extract_pdf'))).toEqual([false, true, true]);
  expect(systemTexts(model).map((text) => /<skill_rest[^>]*pdf-extractor/u.test(text))).toEqual([false, false, true]);
});

test('SAA-21: what could not be read brings no tool, and what is switched off brings none any more', async () => {
  const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
  const files: Record<string, string> = { ...skillFiles };
  const model = scriptedModel([readPdf, 'Failed.', readPdf, 'Done.', 'Again.', [['extract_pdf', {}]], 'No.']);
  const skills = skillTools(makeRegistry(files), { ...ports, groupedTools });
  const ask = async () => generateText({ model, prompt: 'Go.', stopWhen: isStepCount(9), ...skills });
  await skills.session.initialise();
  delete files['pdf-extractor/SKILL.md'];
  await ask();
  files['pdf-extractor/SKILL.md'] = pdfText;
  await ask();
  await skills.session.view.disable('pdf-extractor');
  await ask();
  const has = offeredTools(model).map((names) => names.includes('extract_pdf'));
  expect(has).toEqual([false, false, false, true, false]);
});

test('instructions that are messages keep what their provider is told of them', async () => {
  const model = scriptedModel(['Done.']);
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const instructions = { role: 'system', content: 'You help.', providerOptions } as const;
  await generateText({ model, prompt: 'Go.', instructions, ...skillTools(makeRegistry(), ports) });
  expect(model.doGenerateCalls[0]?.prompt.slice(0, 2)).toMatchObject([
    { role: 'system', content: 'You help.', providerOptions },
    { role: 'system', content: expect.stringMatching(/^## Available Skills/u) },
  ]);
});

test('AGIO-06: with the preset `skill` one tool loads skills, with a required name out of those that there are', async () => {
  const model = scriptedModel(['Done.']);
  await generateText({ model, prompt: 'Go.', ...skillTools(makeRegistry(), ports, { preset: 'skill' }) });
  expect(model.doGenerateCalls[0]?.tools).toMatchObject([
    {
      name: 'Skill',
      inputSchema: {
        required: ['skill_name'],
        properties: { skill_name: { enum: ['data-processor', 'pdf-extractor'] } },
      },
    },
    { name: 'SkillFile' },
  ]);
});

describe('AGIO-07, AGIO-08: what a tool gives has two channels', () => {
  test('programs get all of it, and a model its content alone', async () => {
    const model = scriptedModel([readPdf, [['extract_pdf', { text: 'a.pdf' }]], 'Done.', 'Again.']);
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
    const skills = skillTools(makeRegistry(), { ...ports, groupedTools });
    const { steps, responseMessages } = await generateText({
      model,
      prompt: 'Go.',
      stopWhen: isStepCount(9),
      ...skills,
    });
    const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    expect(results).toMatchObject([
      {
        ok: true,
        contentForUser: 'The skill “pdf-extractor” has been activated.',
        output: { skill_name: 'pdf-extractor', success: true, metadata: { name: 'pdf-extractor' } },
        started: expect.any(Number),
        ended: expect.any(Number),
        duration: expect.any(Number),
      },
      { ok: true, content: 'extract_pdf did a.pdf', contentForUser: 'For you: extract_pdf' },
    ]);
    await generateText({ model, messages: [{ role: 'user', content: 'Go.' }, ...responseMessages], ...skills });
    const told = JSON.stringify(model.doGenerateCalls);
    expect(told).toContain('extract_pdf did a.pdf');
    for (const hidden of ['contentForUser', 'For you', 'has been activated']) expect(told).not.toContain(hidden);
  });

  test('an interface gets it in the stream, and what it sends back is told to the model without it', async () => {
    const model = scriptedModel([readPdf, 'Done.', 'Again.']);
    const agent = new ToolLoopAgent({ model, ...skillAgentSettings(makeRegistry(), ports) });
    const uiMessages: UIMessage[] = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }];
    const options = { conversation: 'chat' };
    const stream = await createAgentUIStream({ agent, uiMessages, options });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) answer = message;
    expect(answer?.parts).toContainEqual(
      expect.objectContaining({
        type: 'dynamic-tool',
        toolName: 'read_skill',
        output: expect.objectContaining({ contentForUser: 'The skill “pdf-extractor” has been activated.' }),
      }),
    );
    const messages = await convertToModelMessages([...uiMessages, answer!], { tools: agent.tools });
    await agent.generate({ messages: [...messages, { role: 'user', content: 'And now?' }], options });
    const told = JSON.stringify([model.doStreamCalls, model.doGenerateCalls]);
    expect(told).toContain('one page at a time');
    expect(told).not.toContain('has been activated');
  });
});

test('AGIO-09, AGIO-10: an unknown skill is an error that names those there are, and the agent goes on', async () => {
  const model = scriptedModel([[['read_skill', { skill_name: 'pfd' }]], 'Done.']);
  const skills = skillTools(makeRegistry(), ports);
  expect((await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(9), ...skills })).text).toBe('Done.');
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toMatch(/error-text.*“data-processor”, “pdf-extractor”/u);
  expect(skills.session.activations).toEqual([]);
});

describe('SAA-12: one registry and one agent, for many conversations', () => {
  test('two conversations that are served at once see nothing of one another', async () => {
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')], 'data-processor': [makeTool('process_data')] };
    const gates = { pdf: Promise.withResolvers<void>(), data: Promise.withResolvers<void>() };
    // Each waits, before each of its answers but the first, until the other one has gone as far.
    const model = scriptedModel(async ({ prompt }) => {
      const text = JSON.stringify(prompt);
      const [own, other] = text.includes('Read a PDF') ? (['pdf', 'data'] as const) : (['data', 'pdf'] as const);
      if (!prompt.some(({ role }) => role === 'tool'))
        return [['read_skill', { skill_name: own === 'pdf' ? 'pdf-extractor' : 'data-processor' }]];
      gates[own].resolve();
      await gates[other].promise;
      return `Done with ${own}.`;
    });
    const agent = new ToolLoopAgent({
      model,
      instructions: 'You help.',
      ...skillAgentSettings(makeRegistry(), { ...ports, groupedTools }),
    });
    const [one, other] = await Promise.all([
      agent.generate({ prompt: 'Read a PDF.', options: { conversation: 'one' } }),
      agent.generate({ prompt: 'Sum up.', options: { conversation: 'other' } }),
    ]);
    expect([one.text, other.text]).toEqual(['Done with pdf.', 'Done with data.']);
    const seconds = model.doGenerateCalls.filter(({ prompt }) => prompt.some(({ role }) => role === 'tool'));
    const offered = seconds.map(({ prompt, tools = [] }) => ({
      pdf: JSON.stringify(prompt).includes('Read a PDF'),
      brought: tools.map(({ name }) => name).filter((name) => !reading.includes(name)),
    }));
    expect(offered).toHaveLength(2);
    expect(offered).toContainEqual({ pdf: true, brought: ['extract_pdf'] });
    expect(offered).toContainEqual({ pdf: false, brought: ['process_data'] });
  });

  test('a conversation goes on where it was, and one without an id begins anew each time', async () => {
    const model = scriptedModel([readPdf, 'One.', 'Two.', readPdf, 'Three.', 'Four.']);
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
    const settings = skillAgentSettings(makeRegistry(), { ...ports, groupedTools });
    const agent = new ToolLoopAgent({ model, ...settings });
    const options = { conversation: 'one' };
    for (let again = 0; again < 2; again += 1) await agent.generate({ prompt: 'Go.', options });
    const nobody = undefined as unknown as typeof options;
    for (let again = 0; again < 2; again += 1) await agent.generate({ prompt: 'Go.', options: nobody });
    const has = offeredTools(model).map((names) => names.includes('extract_pdf'));
    expect(has).toEqual([false, true, true, false, true, false]);
    expect(settings.conversation('one').session.activations).toMatchObject([{ name: 'pdf-extractor' }]);
  });

  test('of more conversations than are kept, the one that lay still longest is forgotten', async () => {
    const model = scriptedModel([readPdf, 'One.']);
    const settings = skillAgentSettings(makeRegistry(), ports, { maxConversations: 2 });
    await new ToolLoopAgent({ model, ...settings }).generate({ prompt: 'Go.', options: { conversation: 'one' } });
    const ledger = () => settings.conversation('one').session.activations.length;
    settings.conversation('two');
    expect(ledger()).toBe(1);
    settings.conversation('three');
    expect(ledger()).toBe(1);
    settings.conversation('four');
    settings.conversation('five');
    expect(ledger()).toBe(0);
    expect(() => skillAgentSettings(makeRegistry(), ports, { maxConversations: 0 })).toThrow('cannot be kept');
  });

  test('what the agent sets itself stays: its own steps, and its own approvals', async () => {
    const model = scriptedModel([[['search', {}]]]);
    const agent = new ToolLoopAgent({
      model,
      ...skillAgentSettings(makeRegistry(), { ...ports, tools: [makeTool('search')] }),
      prepareStep: () => ({ temperature: 0.5 }),
      toolApproval: () => ({ type: 'user-approval', reason: 'Mine.' }),
    });
    const { content } = await agent.generate({ prompt: 'Go.', options: { conversation: 'one' } });
    expect(content).toMatchObject([{ type: 'tool-call' }, { type: 'tool-approval-request', reason: 'Mine.' }]);
    expect(model.doGenerateCalls[0]?.temperature).toBe(0.5);
    expect(systemTexts(model)[0]).toContain('## Available Skills');
  });

  test('what the agent prepares itself offers no tool that no skill has brought', async () => {
    const groupedTools = { 'pdf-extractor': [makeTool('extract_pdf')] };
    const model = scriptedModel(['Done.']);
    const settings = skillAgentSettings(makeRegistry(), { ...ports, groupedTools, tools: [makeTool('constructor')] });
    const prepareStep = () => ({ activeTools: ['extract_pdf'] as never[] });
    const agent = new ToolLoopAgent({ model, ...settings, prepareStep });
    await agent.generate({ prompt: 'Go.', options: { conversation: 'one' } });
    expect(offeredTools(model)).toEqual([['constructor', ...reading]]);
  });

  test('a tool with a name that every object knows is asked about by nobody who did not say so', async () => {
    const did: string[] = [];
    const model = scriptedModel([[['constructor', {}]], 'Done.']);
    const settings = skillAgentSettings(makeRegistry(), { ...ports, tools: [makeTool('constructor', { did })] });
    const agent = new ToolLoopAgent({ model, ...settings, toolApproval: {} });
    expect((await agent.generate({ prompt: 'Go.', options: { conversation: 'one' } })).text).toBe('Done.');
    expect(did).toEqual(['constructor']);
  });

  test.each(['user-approval', { type: 'denied' }, async () => 'user-approval'] as const)(
    'what the agent asks by the name of a tool is asked where the skills ask nothing: %j',
    async (own) => {
      const did: string[] = [];
      const model = scriptedModel([[['search', {}]], 'Done.']);
      const settings = skillAgentSettings(makeRegistry(), { ...ports, tools: [makeTool('search', { did })] });
      const toolApproval: Record<string, unknown> = { search: own };
      const agent = new ToolLoopAgent({ model, ...settings, toolApproval });
      await agent.generate({ prompt: 'Go.', options: { conversation: 'one' } });
      expect(did).toEqual([]);
    },
  );

  test('a tool that stands beside those of the skills is a mistake, and told as one', async () => {
    const { search } = skillTools(makeRegistry(), { ...ports, tools: [makeTool('search')] }).tools as ToolSet;
    const { tools, ...settings } = skillAgentSettings(makeRegistry(), ports);
    const agent = new ToolLoopAgent({ model: scriptedModel([]), ...settings, tools: { ...tools, search: search! } });
    const answer = agent.generate({ prompt: 'Go.', options: { conversation: 'one' } });
    await expect(answer).rejects.toThrow('The tool “search” of the agent is not known to its skills.');
  });

  test('a call that does not say its conversation in the right way is refused', async () => {
    const agent = new ToolLoopAgent({ model: scriptedModel([]), ...skillAgentSettings(makeRegistry(), ports) });
    const answer = agent.generate({ prompt: 'Go.', options: { conversation: '' } });
    await expect(answer).rejects.toThrow('A call says which conversation it belongs to');
  });
});
