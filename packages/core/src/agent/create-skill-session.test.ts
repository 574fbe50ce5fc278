import { describe, expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from '../registry/create-skill-registry.js';
import { memorySkills } from '../registry/memory-skills.js';
import type { SkillRegistry } from '../registry/skill-registry.js';
import { createSkillTools } from '../tool/skill-tools.js';
import type { Tool } from '../tool/tool.js';
import { fakeClock } from '../testing/fake-clock.js';
import { createSkillSession } from './create-skill-session.js';
import type { SkillSession, SkillSessionOptions, SkillSessionPorts } from './skill-session.js';

interface TestTool {
  readonly name: string;
  readonly from?: string;
}

const pdfText = `---
name: pdf-extractor
description: Extracts the text of PDF files.
allowed-tools: read_page Bash(pdftotext:*) extract_pdf missing_tool
---
# PDF

Read one page at a time. You MUST keep the original.
`;
const dataText = `---
name: data-processor
description: Sums up tables.
trigger: "sum, total, zebra"
allowed-tools: process_data read_page
---
Add the numbers.
`;

function makeRegistry(
  files: Record<string, string> = { 'pdf-extractor/SKILL.md': pdfText, 'data-processor/SKILL.md': dataText },
): SkillRegistry {
  return createSkillRegistry(memorySkills(files), { sha256 });
}

const tools = {
  skillTools: [{ name: 'read_page' }, { name: 'process_data' }, { name: 'extract_pdf', from: 'skillTools' }],
  groupedTools: { 'pdf-extractor': [{ name: 'extract_pdf', from: 'group' }] },
} satisfies Partial<SkillSessionPorts<TestTool>>;

function makeSession(
  { skillTools, groupedTools, ...options }: SkillSessionOptions<TestTool> & Partial<SkillSessionPorts<TestTool>> = {},
  registry = makeRegistry(),
): SkillSession<TestTool> {
  return createSkillSession<TestTool>(registry, { sha256, skillTools, groupedTools }, options);
}

async function read(session: SkillSession<TestTool>, name: string): Promise<{ text: string; alreadyActive: boolean }> {
  const entry = await session.view.get(name);
  return session.activate(entry!, { by: 'model', reason: 'It fits.' });
}

function code(expected: string): (error: unknown) => boolean {
  return (error) => SkillsError.is(error) && error.code === expected;
}

const request = { system: 'You help.', tools: [] as readonly TestTool[] };

test('SAA-21, SAA-23: three turns: no tool of a skill; those of the first after it was read; both, each once, in order', async () => {
  const session = makeSession(tools);
  const own = { ...request, tools: [{ name: 'search', from: 'request' }] };

  const first = await session.prepare(own);
  expect(first.tools).toEqual(own.tools);
  expect(first.system).toContain('pdf-extractor');

  await read(session, 'pdf-extractor');
  const second = await session.prepare(own);
  expect(second.tools).toEqual([...own.tools, { name: 'extract_pdf', from: 'group' }, { name: 'read_page' }]);

  await read(session, 'data-processor');
  const third = await session.prepare(own);
  expect(third.tools).toEqual([...second.tools, { name: 'process_data' }]);
});

test('SAA-21: a tool that the request brings itself stays as it is', async () => {
  const session = makeSession(tools);
  await read(session, 'pdf-extractor');
  const { tools: offered } = await session.prepare({ ...request, tools: [{ name: 'read_page', from: 'request' }] });
  expect(offered).toEqual([
    { name: 'read_page', from: 'request' },
    { name: 'extract_pdf', from: 'group' },
  ]);
});

test('SAA-22: allowed tools that nobody has are left out, and a developer is told', async () => {
  const said: string[] = [];
  const session = createSkillSession(makeRegistry(), { sha256, debug: (message) => said.push(message), ...tools });
  await session.activate((await session.view.get('pdf-extractor'))!, { by: 'model', reason: '' });
  expect(session.activations[0]).toMatchObject({
    tools: ['extract_pdf', 'read_page'],
    unknownTools: ['Bash', 'missing_tool'],
  });
  expect(said).toEqual([
    'The skill “pdf-extractor” allows the tool “Bash”, which nobody has.',
    'The skill “pdf-extractor” allows the tool “missing_tool”, which nobody has.',
  ]);
});

test('SAA-22: a tool that the request brings is one that somebody has', async () => {
  const said: string[] = [];
  const session = createSkillSession(makeRegistry(), { sha256, debug: (message) => said.push(message), ...tools });
  await session.prepare({ ...request, tools: [{ name: 'Bash' }] });
  await read(session, 'pdf-extractor');
  expect(session.activations[0]).toMatchObject({
    tools: ['extract_pdf', 'read_page', 'Bash'],
    unknownTools: ['missing_tool'],
  });
  expect(said).toHaveLength(1);
  const { tools: offered } = await session.prepare(request);
  expect(offered.map(({ name }) => name)).toEqual(['extract_pdf', 'read_page']);
});

test('SAA-23: a reading that fails unlocks nothing', async () => {
  const files: Record<string, string> = { 'pdf-extractor/SKILL.md': pdfText };
  const session = makeSession(tools, makeRegistry(files));
  const entry = (await session.view.get('pdf-extractor'))!;
  Reflect.deleteProperty(files, 'pdf-extractor/SKILL.md');
  await expect(session.activate(entry, { by: 'model', reason: '' })).rejects.toSatisfy(code('SKILL_NOT_FOUND'));
  expect(session.activations).toEqual([]);
  expect((await session.prepare(request)).tools).toEqual([]);
});

test('SAA-17: over an empty registry a request is what it was', async () => {
  const session = makeSession({ readingTools: () => [{ name: 'read_skill' }] }, makeRegistry({}));
  expect(await session.prepare(request)).toBe(request);
});

test('SAA-20: before it is read, a skill is its name, description and folder', async () => {
  const session = makeSession();
  const { system } = await session.prepare(request);
  expect(system).toMatch(/^You help\.\n\n## Available Skills\n/u);
  expect(system).toContain('- **pdf-extractor** (memory:/pdf-extractor): Extracts the text of PDF files.');
  expect(system).not.toContain('one page at a time');
});

test('H9-02: a trigger is kept as documentation; it neither stands in the catalogue nor selects anything', async () => {
  const session = makeSession();
  const entry = await session.view.get('data-processor');
  expect(entry?.head.frontMatter['trigger']).toBe('sum, total, zebra');
  const { system } = await session.prepare({
    ...request,
    messages: [{ role: 'user', content: 'The total of zebra, please.' }],
  });
  expect(system).not.toContain('zebra');
  expect(session.activations).toEqual([]);
});

describe('SAA-12: one registry and several sessions', () => {
  test('each has its own ledger and switches skills off for itself alone', async () => {
    const registry = makeRegistry();
    const [one, other] = [makeSession(tools, registry), makeSession(tools, registry)];
    await one.view.disable('data-processor');
    await read(one, 'pdf-extractor');
    expect((await one.prepare(request)).system).not.toContain('data-processor');
    expect((await other.prepare(request)).system).toContain('data-processor');
    expect((await other.prepare(request)).tools).toEqual([]);
  });

  test('a skill that is switched off takes its tools with it, until it is on again', async () => {
    const session = makeSession(tools);
    await read(session, 'data-processor');
    await session.view.disable('data-processor');
    expect((await session.prepare(request)).tools).toEqual([]);
    await session.view.enable('data-processor');
    expect((await session.prepare(request)).tools).toHaveLength(2);
  });
});

test('SAA-13: with autoReload each request sees what the registry holds then, without it the first state stays', async () => {
  const files: Record<string, string> = { 'pdf-extractor/SKILL.md': pdfText };
  const fresh = makeSession({ autoReload: true }, makeRegistry(files));
  const kept = makeSession({}, makeRegistry(files));
  for (const session of [fresh, kept]) expect((await session.prepare(request)).system).not.toContain('Sums up');
  files['data-processor/SKILL.md'] = dataText;
  expect((await fresh.prepare(request)).system).toContain('Sums up');
  expect((await kept.prepare(request)).system).not.toContain('Sums up');
});

test('SAA-13: where reading anew fails, the last state holds, and a developer is told', async () => {
  const said: string[] = [];
  const backend = memorySkills({ 'pdf-extractor/SKILL.md': pdfText });
  let broken = false;
  const registry = createSkillRegistry(
    {
      ...backend,
      list: async (options) => (broken ? Promise.reject(new SkillsError('IO_ERROR', 'Gone.')) : backend.list(options)),
    },
    { sha256 },
  );
  const session = createSkillSession(
    registry,
    { sha256, debug: (message) => said.push(message) },
    { autoReload: true },
  );
  const { system } = await session.prepare(request);
  broken = true;
  expect((await session.prepare(request)).system).toBe(system);
  expect(said.join('\n')).toContain('the last state holds');
});

test('AGIO-11: a session initialises, gives its tools, renders its section, and reloads', async () => {
  const files: Record<string, string> = {};
  const session = makeSession(
    { readingTools: () => [{ name: 'Skill' }, { name: 'search_skills' }] },
    makeRegistry(files),
  );
  expect((await session.initialise()).skills).toEqual([]);
  expect(await session.readingTools()).toEqual([]);
  expect(await session.renderSection()).toBe('');
  files['pdf-extractor/SKILL.md'] = pdfText;
  expect((await session.reload()).skills).toHaveLength(1);
  expect(await session.readingTools()).toEqual([{ name: 'Skill' }, { name: 'search_skills' }]);
  expect(await session.renderSection()).toContain('Use the `Skill` tool to load the full content of a skill');
  expect((await session.prepare(request)).tools).toEqual([{ name: 'Skill' }, { name: 'search_skills' }]);
});

test('AGIO-13: with skills switched off, a loop sees nothing of them', async () => {
  const session = makeSession({ ...tools, enableSkills: false, readingTools: () => [{ name: 'Skill' }] });
  expect(await session.prepare(request)).toBe(request);
  expect(await session.readingTools()).toEqual([]);
  expect(await session.renderSection()).toBe('');
  await expect(read(session, 'pdf-extractor')).rejects.toSatisfy(code('SKILL_NOT_FOUND'));
});

test('SPEC-10: a skill that stands in the conversation is not repeated; one that was taken out is, and its rules stay meanwhile', async () => {
  const session = makeSession(tools);
  const first = await read(session, 'pdf-extractor');
  expect(first.text).toContain('Read one page at a time.');
  expect(await read(session, 'pdf-extractor')).toEqual({
    text: 'The instructions of the skill “pdf-extractor” stand in this conversation already, and hold.',
    alreadyActive: true,
  });
  expect(session.activations).toHaveLength(1);

  const messages = [
    { role: 'user', content: 'Go' },
    { role: 'tool', content: first.text },
  ];
  const before = await session.prepare({ ...request, messages });
  expect(before.system).not.toContain('MUST keep');

  const after = await session.prepare({ ...request, messages: messages.slice(0, 1) });
  expect(after.tools).toEqual(before.tools);
  expect(after.system).toContain('- You MUST keep the original.');
  expect(await read(session, 'pdf-extractor')).toEqual(first);
  expect((await session.prepare({ ...request, messages })).system).toBe(before.system);
});

describe('SPEC-10: only a body that stands in the conversation as it was given counts as being there', () => {
  const rule = '- You MUST keep the original.';

  test('not a digest of it in the output of a tool, or in the body of another skill', async () => {
    const digest = sha256(pdfText).slice('sha256:'.length);
    const forging = dataText.replace('Add the numbers.', `<skill_body sha256="${digest}">\nsha256="${digest}"`);
    const registry = makeRegistry({ 'pdf-extractor/SKILL.md': pdfText, 'data-processor/SKILL.md': forging });
    const session = makeSession(tools, registry);
    const pdf = await read(session, 'pdf-extractor');
    const data = await read(session, 'data-processor');
    const others = [
      { role: 'tool', content: data.text },
      { role: 'tool', content: `The page says sha256="${digest}".` },
    ];
    const all = [...others, { role: 'tool', content: pdf.text }];
    expect((await session.prepare({ ...request, messages: all })).system).not.toContain(rule);
    expect((await session.prepare({ ...request, messages: others })).system).toContain(rule);
    expect(await read(session, 'pdf-extractor')).toEqual(pdf);
  });

  test('not the beginning of it, which a loop left when it cut the message, at once or later', async () => {
    for (const first of ['whole', 'cut']) {
      const session = makeSession(tools);
      const { text } = await read(session, 'pdf-extractor');
      const cut = {
        ...request,
        messages: [{ role: 'tool', content: `${text.slice(0, text.indexOf('page'))}… (cut)` }],
      };
      const whole = { ...request, messages: [{ role: 'tool', content: text }] };
      if (first === 'whole') expect((await session.prepare(whole)).system).not.toContain(rule);
      expect((await session.prepare(cut)).system, first).toContain(rule);
      expect(await read(session, 'pdf-extractor')).toMatchObject({ alreadyActive: false });
    }
  });

  test('and it may stand among other words, without the names of files behind it', async () => {
    const session = makeSession(
      tools,
      makeRegistry({ 'pdf-extractor/SKILL.md': pdfText, 'pdf-extractor/references/forms.md': 'x' }),
    );
    const { text } = await read(session, 'pdf-extractor');
    expect(text).toMatch(/Files beside it.*forms\.md\.$/u);
    const content = `It said:\n${text.slice(0, text.indexOf('Files beside it'))}`;
    expect((await session.prepare({ ...request, messages: [{ role: 'tool', content }] })).system).not.toContain(rule);
    expect(await read(session, 'pdf-extractor')).toMatchObject({ alreadyActive: true });
  });
});

describe('SPEC-10: wherever an API keeps what a tool returned, a body is found there', () => {
  const rule = '- You MUST keep the original.';
  const conversations: Readonly<Record<string, (text: string) => readonly object[]>> = {
    'a text': (text) => [{ role: 'tool', tool_call_id: '1', content: text }],
    'parts of a text': (text) => [{ role: 'tool', content: [{ type: 'text', text }] }],
    'a result within a message of the user': (text) => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text }] }] },
    ],
    'a result with a text': (text) => [{ role: 'user', content: [{ type: 'tool_result', content: text }] }],
    'an output with a type': (text) => [
      { role: 'tool', content: [{ type: 'tool-result', toolName: 'x', output: { type: 'text', value: text } }] },
    ],
    'an output of JSON': (text) => [
      { role: 'tool', content: [{ type: 'tool-result', output: { type: 'json', value: { content: text } } }] },
    ],
    'a text of JSON': (text) => [{ role: 'tool', content: JSON.stringify({ ok: true, content: text }) }],
    'an item without a role': (text) => [{ type: 'function_call_output', call_id: '1', output: text }],
    'parts of a message without content': (text) => [
      { role: 'user', parts: [{ functionResponse: { name: 'x', response: { result: text } } }] },
    ],
  };
  for (const [where, conversation] of Object.entries(conversations)) {
    test(where, async () => {
      const session = makeSession(tools);
      const { text } = await read(session, 'pdf-extractor');
      const prepare = async (messages: readonly object[]) => (await session.prepare({ ...request, messages })).system;
      const asked = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
      expect(await prepare([asked, ...conversation(text)])).not.toContain(rule);
      expect((await read(session, 'pdf-extractor')).alreadyActive).toBe(true);
      expect(await prepare([asked, ...conversation('It was left out.')])).toContain(rule);
      expect(await read(session, 'pdf-extractor')).toEqual({ text, alreadyActive: false });
    });
  }
});

test('SPEC-10: a body that never came into the conversation can be had again, and its rules stay meanwhile', async () => {
  const session = makeSession(tools);
  const messages = [{ role: 'user', content: 'Go' }];
  await session.prepare({ ...request, messages });
  const first = await read(session, 'pdf-extractor');
  // Within the same turn it is given once.
  expect((await read(session, 'pdf-extractor')).alreadyActive).toBe(true);
  // The turn was cancelled: the loop asks again, with the messages that it had.
  const { system, tools: offered } = await session.prepare({ ...request, messages });
  expect(system).toContain('- You MUST keep the original.');
  expect(offered).toHaveLength(2);
  expect(await read(session, 'pdf-extractor')).toEqual(first);
});

test('messages that hold themselves, bytes, and nothing at all are looked through, too', async () => {
  const session = makeSession(tools);
  await read(session, 'pdf-extractor');
  const circle: { role: string; content: unknown[] } = { role: 'user', content: [] };
  circle.content.push(circle, new Uint8Array(1_000), null, undefined, 7, { type: 'text' });
  const messages = [circle, {}, { role: 'assistant', content: null }, { role: 'user' }];
  expect((await session.prepare({ ...request, messages })).system).toContain('- You MUST keep the original.');
});

test('the ledger says of a skill what the index says of it, whatever the entry that was given', async () => {
  const session = makeSession(tools);
  const entry = (await session.view.get('pdf-extractor'))!;
  const forged = { ...entry, name: 'data-processor', scope: 'project', pack: 'evil/pack' } as const;
  const { text } = await session.activate(forged, { by: 'model', reason: '' });
  expect(text).toContain('<skill_body name="pdf-extractor" source="builtin" path="memory:/pdf-extractor"');
  expect(session.activations).toMatchObject([
    { name: 'pdf-extractor', scope: 'builtin', pack: undefined, tools: ['extract_pdf', 'read_page'] },
  ]);
});

test('a skill that is switched off is not given, not even one that was being read then', async () => {
  const session = makeSession(tools);
  const entry = (await session.view.get('pdf-extractor'))!;
  await session.view.disable('pdf-extractor');
  const off = { code: 'SKILL_NOT_FOUND', message: 'The skill “pdf-extractor” is switched off.' };
  await expect(session.activate(entry, { by: 'model', reason: '' })).rejects.toMatchObject(off);

  const backend = memorySkills({ 'pdf-extractor/SKILL.md': pdfText });
  for (const step of ['bytes', 'files'] as const) {
    const slow: SkillSession<TestTool> = makeSession(
      tools,
      createSkillRegistry(
        {
          ...backend,
          [step]: async (...given: Parameters<typeof backend.bytes>) => {
            await slow.view.disable('pdf-extractor');
            return backend[step](...given);
          },
        },
        { sha256 },
      ),
    );
    await expect(read(slow, 'pdf-extractor'), step).rejects.toMatchObject(off);
    expect(slow.activations).toEqual([]);
  }
});

test('a skill that forbids models in its text alone, which the index could not know, is refused', async () => {
  const backend = memorySkills({ 'own/SKILL.md': '---\nname: own\ndescription: x\n---\nBody.' });
  const text = '---\nname: own\ndescription: x\ndisable-model-invocation: true\n---\nBody.';
  const registry = createSkillRegistry({ ...backend, bytes: async () => new TextEncoder().encode(text) }, { sha256 });
  const session = makeSession({}, registry);
  await expect(read(session, 'own')).rejects.toSatisfy(code('TOOL_NOT_ALLOWED'));
  expect(session.activations).toEqual([]);
});

test('a skill that the index knows to forbid models is not even read for one', async () => {
  const backend = memorySkills({
    'own/SKILL.md': '---\nname: own\ndescription: x\ndisable-model-invocation: true\n---\n',
  });
  let reads = 0;
  const bytes = async (...given: Parameters<typeof backend.bytes>) => {
    reads += 1;
    return backend.bytes(...given);
  };
  const session = makeSession({}, createSkillRegistry({ ...backend, bytes }, { sha256 }));
  await expect(read(session, 'own')).rejects.toSatisfy(code('TOOL_NOT_ALLOWED'));
  expect(reads).toBe(0);
});

test('files that cannot be listed keep no skill from being read; an abort meanwhile does', async () => {
  const backend = memorySkills({ 'pdf-extractor/SKILL.md': pdfText });
  const controller = new AbortController();
  let abort = false;
  const said: string[] = [];
  const registry = createSkillRegistry(
    {
      ...backend,
      files: async () => {
        if (abort) controller.abort();
        throw new SkillsError('IO_ERROR', 'Not now.');
      },
    },
    { sha256 },
  );
  const session = createSkillSession(registry, { sha256, debug: (message) => said.push(message) });
  const entry = (await session.view.get('pdf-extractor'))!;
  expect((await session.activate(entry, { by: 'model', reason: '' })).text).toContain('one page at a time');
  expect(said.slice(0, 1)).toEqual(['The files of the skill “pdf-extractor” cannot be listed: “Not now.”.']);
  abort = true;
  const { signal } = controller;
  const before = said.length;
  await expect(session.activate(entry, { by: 'model', reason: '', signal })).rejects.toSatisfy(code('INTERRUPTED'));
  expect(said.slice(before)).toEqual([]);
});

test('a skill that has changed is read again', async () => {
  const files: Record<string, string> = { 'pdf-extractor/SKILL.md': pdfText };
  const session = makeSession(tools, makeRegistry(files));
  await read(session, 'pdf-extractor');
  files['pdf-extractor/SKILL.md'] = pdfText.replace('one page', 'two pages');
  expect(await read(session, 'pdf-extractor')).toMatchObject({
    alreadyActive: false,
    text: expect.stringContaining('two pages'),
  });
  expect(session.activations).toHaveLength(1);
});

test('the catalogue stays as it is while a request is worked on, and fits the next one', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `s${index}/SKILL.md`,
      `---\nname: s${index}\ndescription: Does kind ${index} of work for people who ask for it. ${index === 39 ? 'Draws giraffes.' : ''}\n---\n`,
    ]),
  );
  const session = makeSession({ contextTokens: 24_000 }, makeRegistry(files));
  const ask = async (content: string): Promise<string> =>
    (await session.prepare({ ...request, messages: [{ role: 'user', content }] })).system;
  const first = await ask('Hello');
  expect(first).not.toContain('giraffes');
  const second = await ask('Draw me some giraffes');
  expect(second).toContain('Draws giraffes.');
  for (const parts of [
    [{ role: 'user', content: [{ type: 'text', text: 'Draw me some giraffes' }] }],
    [{ role: 'user', parts: [{ text: 'Draw me some giraffes' }] }],
    [
      { role: 'user', content: 'Draw me some giraffes' },
      // What a tool returned is no request.
      { role: 'user', content: [{ type: 'tool_result', content: 'Hello' }] },
    ],
  ]) {
    await ask('Hello');
    expect((await session.prepare({ ...request, messages: parts })).system).toBe(second);
  }
  const { text } = await read(session, 's20');
  const messages = [
    { role: 'user', content: 'Draw me some giraffes' },
    { role: 'tool', content: text },
  ];
  expect((await session.prepare({ ...request, messages })).system).toBe(second);
});

test('the tools of each preset read skills through the session, and name those that are there now', async () => {
  const clock = fakeClock();
  for (const [preset, loader] of [
    ['registry', 'read_skill'],
    ['skill', 'Skill'],
    ['use_skill', 'use_skill'],
  ] as const) {
    const session = createSkillSession<Tool>(
      makeRegistry(),
      { sha256 },
      {
        readingTools: (own, { skills }) => createSkillTools(own, { clock }, { preset, skills }),
      },
    );
    const { system, tools: offered } = await session.prepare({ system: '', tools: [] as readonly Tool[] });
    expect(system).toContain(`Use the \`${loader}\` tool`);
    expect(JSON.stringify(offered[0]?.inputSchema)).toContain('["data-processor","pdf-extractor"]');
    const call = { skill_name: 'pdf-extractor' };
    const { content } = await offered[0]!.run(call, { id: '1', signal: new AbortController().signal });
    expect(content).toContain('Read one page at a time.');
    expect(session.activations.map(({ name }) => name)).toEqual(['pdf-extractor']);
    await session.view.disable('pdf-extractor');
    const { tools: fewer } = await session.prepare({ system: '', tools: [] as readonly Tool[] });
    expect(JSON.stringify(fewer[0]?.inputSchema)).not.toContain('pdf-extractor');
  }
});

describe('a person calls a skill', () => {
  test('H9-05: by name, and the message is its body, a blank line, and the words', async () => {
    const session = makeSession(tools);
    expect(await session.call('data-processor', 'in a.csv')).toMatch(
      /^<skill_body [^>]*>\nAdd the numbers\.\n<\/skill_body>\n\nin a\.csv$/u,
    );
    expect(session.activations[0]).toMatchObject({
      name: 'data-processor',
      by: 'user',
      tools: ['process_data', 'read_page'],
    });
  });

  test('also one that no model may call', async () => {
    const own = '---\nname: own\ndescription: x\ndisable-model-invocation: true\n---\nBody.';
    const session = makeSession({}, makeRegistry({ 'own/SKILL.md': own }));
    await expect(read(session, 'own')).rejects.toSatisfy(code('TOOL_NOT_ALLOWED'));
    expect(await session.call('own', '')).toContain('Body.');
  });

  test('what a person called, a model may read again once it was taken out of the conversation', async () => {
    const own = '---\nname: own\ndescription: x\ndisable-model-invocation: true\n---\nBody.';
    const session = makeSession({}, makeRegistry({ 'own/SKILL.md': own }));
    const content = await session.call('own', 'Now.');
    for (let again = 0; again < 2; again += 1) {
      await session.prepare({ ...request, messages: [{ role: 'user', content }] });
      expect((await read(session, 'own')).alreadyActive).toBe(true);
      await session.prepare({ ...request, messages: [{ role: 'user', content: 'Now.' }] });
      expect(await read(session, 'own')).toMatchObject({
        alreadyActive: false,
        text: expect.stringContaining('Body.'),
      });
    }
    expect(session.activations).toMatchObject([{ name: 'own', by: 'user', reason: 'called by name', turn: 4 }]);
  });

  test('one that is not there is told with those that are', async () => {
    await expect(makeSession().call('pfd', '')).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      hint: 'There are “data-processor”, “pdf-extractor”.',
    });
    await expect(makeSession({}, makeRegistry({})).call({ name: 'pfd' }, '')).rejects.toMatchObject({
      message: 'There is no skill “pfd”.',
      hint: 'There are no skills.',
    });
  });
});

test('a session without sha256, or without ports, is told so', () => {
  for (const ports of [undefined, null, {}, { sha256: 'x' }]) {
    // Cast: whoever calls may write in a language without types.
    expect(() => createSkillSession(makeRegistry(), ports as unknown as SkillSessionPorts)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'The port sha256 of the session is missing or something else.',
      }),
    );
  }
});
