import { sha256 } from '@skillpack/cli-dist';
import { createMemoryJournal, createSkillRegistry, memorySkills, SkillsError, startRun } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { scripted, type ScriptedModel, type ScriptReply } from '@skillpack/model-adapters';
import { expect, test } from 'vitest';
import type { ChatEvent } from './chat-event.js';
import { startChat, type Chat } from './start-chat.js';

interface ChatWorld {
  readonly chat: Chat;
  readonly model: ScriptedModel;
  readonly told: readonly ChatEvent[];
  /** What was told of one kind. */
  of<Kind extends ChatEvent['kind']>(kind: Kind): readonly (ChatEvent & { readonly kind: Kind })[];
  /** The texts of messages that the model was sent last. */
  lastRequest(): string;
}

const skill = (name: string, body: string, more = ''): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${more}---\n${body}\n`;

const answer = (content: string): ScriptReply => ({ action: { kind: 'final_answer', content } });

async function chatWorld(
  replies: readonly ScriptReply[],
  how: {
    readonly files?: Record<string, string>;
    readonly withheld?: readonly string[];
    readonly broken?: boolean;
  } = {},
): Promise<ChatWorld> {
  const files = how.files ?? {
    'pdf/SKILL.md': skill('pdf', 'Read PDF files.'),
    'table/SKILL.md': skill('table', 'Draw.'),
  };
  const registry = createSkillRegistry(memorySkills(files), { sha256 });
  const model = scripted(replies);
  const told: ChatEvent[] = [];
  const journal = createMemoryJournal(sha256);
  let disk = 'whole';
  const sometimes: typeof journal = Object.assign(Object.create(journal) as typeof journal, {
    append: async (event: Parameters<typeof journal.append>[0]) => {
      if (disk === 'full') throw new SkillsError('IO_ERROR', 'The disk is full.');
      await journal.append(event);
    },
  });
  const chat = await startChat({
    tell: (event) => told.push(event),
    open: async (onEvent) => {
      const ports = { registry, model, journal: sometimes, clock: fakeClock(), sha256 };
      const run = await startRun(ports, { id: 'chat', autoReload: true, onEvent });
      return { run, registry, withheld: how.withheld ?? [], words: ['chat', '--cwd', 'p q'] };
    },
  });
  if (how.broken === true) disk = 'full';
  return {
    chat,
    model,
    told,
    of: (kind) => told.filter((event): event is ChatEvent & { readonly kind: typeof kind } => event.kind === kind),
    lastRequest: () =>
      model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n---\n') ?? '',
  };
}

const { signal } = new AbortController();

/** Sends lines, and says whether the chat went on after the last. */
async function send(chat: Chat, ...lines: readonly string[]): Promise<boolean> {
  let goesOn = true;
  for (const line of lines) goesOn = await chat.send(line, { signal });
  return goesOn;
}

test('a line is a request, whose answer is told; the next line goes on in the same run', async () => {
  const { chat, of, lastRequest } = await chatWorld([answer('One.'), answer('Two.')]);
  expect(await send(chat, 'first', '', 'second')).toBe(true);
  expect(of('answer').map(({ answer: { text, stop } }) => [text, stop])).toEqual([
    ['One.', 'final_answer'],
    ['Two.', 'final_answer'],
  ]);
  expect(lastRequest()).toMatch(/first[\s\S]*One\.[\s\S]*second/u);
  expect(chat.run.state.activations).toEqual([]);
});

test('the answer is told in pieces while the model writes it', async () => {
  const { chat, of } = await chatWorld([answer('A rather long answer, in several pieces.')]);
  await send(chat, 'go');
  const pieces = of('piece').map(({ text }) => text);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join('')).toBe('A rather long answer, in several pieces.');
  expect(of('answer')[0]?.streamed).toBe(pieces.join(''));
});

test('H9-05: the name of a skill behind a slash loads its body, a blank line and the words, without asking the model', async () => {
  const { chat, model, lastRequest } = await chatWorld([answer('Read.'), answer('Again.')]);
  await send(chat, '/pdf What is in a.pdf?');
  expect(model.requests).toHaveLength(1);
  expect(lastRequest()).toMatch(/Read PDF files\.\n<\/skill_body>\n\nWhat is in a\.pdf\?\n/u);
  expect(chat.run.state.activations).toMatchObject([{ name: 'pdf', by: 'user' }]);
  await send(chat, '/table');
  expect(lastRequest()).toContain('Draw.');
});

test('H9-06: /skill and a name load a skill, also one that is called like a command', async () => {
  const files = { 'help/SKILL.md': skill('help', 'How to help.') };
  const { chat, lastRequest, of } = await chatWorld([answer('Helped.')], { files });
  await send(chat, '/help');
  expect(of('help')).toHaveLength(1);
  await send(chat, '/skill help me');
  expect(lastRequest()).toMatch(/How to help\.\n<\/skill_body>\n\nme\n/u);
});

test('H9-10: an unknown name is told with the nearest one, and the chat goes on', async () => {
  const { chat, of, model } = await chatWorld([answer('Still here.')]);
  expect(await send(chat, '/pfd read', '/skils', '/xyzzy', '/', 'hello')).toBe(true);
  expect(of('refused').map(({ error }) => [error.code, error.hint])).toEqual([
    ['SKILL_NOT_FOUND', 'Did you mean /pdf?'],
    ['SKILL_NOT_FOUND', 'Did you mean /skills?'],
    ['SKILL_NOT_FOUND', expect.stringContaining('/skills')],
    ['SKILL_NOT_FOUND', expect.stringContaining('/help')],
  ]);
  expect(model.requests).toHaveLength(1);
  expect(of('answer')[0]?.answer.text).toBe('Still here.');
});

test('behind /skill, a name that is unknown is told as that of a skill', async () => {
  const { chat, of } = await chatWorld([]);
  await send(chat, '/skill help', '/skill pfd');
  expect(of('refused').map(({ error }) => [error.message, error.hint])).toEqual([
    ['There is no skill “help”.', expect.stringMatching(/^Type \/skills.* \/help is a command\.$/u)],
    ['There is no skill “pfd”.', 'Did you mean /skill pdf?'],
  ]);
});

test('a line that begins with two slashes is a request that begins with one', async () => {
  const { chat, lastRequest } = await chatWorld([answer('A path.')]);
  await send(chat, '//etc/hosts');
  expect(lastRequest()).toMatch(/(?<!\/)\/etc\/hosts/u);
});

test('/skills lists what there is, what was read and what is switched off; with words it searches', async () => {
  const { chat, of } = await chatWorld([answer('Read.')]);
  await send(chat, '/pdf x', '/disable table', '/skills', '/skills pdf');
  expect(of('skills').map(({ skills }) => skills.map(({ name, state }) => `${name} ${state}`))).toEqual([
    ['pdf active', 'table off'],
    ['pdf active'],
  ]);
});

test('a skill that the agent switched off is listed as off, and on again once a person calls it or switches it on', async () => {
  const off: ScriptReply = { action: { kind: 'disable_skill', skill: { name: 'pdf' }, reason: 'In the way.' } };
  const done = answer('Done.');
  const { chat, of } = await chatWorld([off, done, done, off, done]);
  await send(chat, 'hello', '/skills', '/pdf x', '/skills', 'hello', '/enable pdf', '/skills');
  expect(of('refused')).toEqual([]);
  expect(of('skills').map(({ skills }) => skills.map(({ name, state }) => `${name} ${state}`))).toEqual([
    ['pdf off', 'table offered'],
    ['pdf active', 'table offered'],
    ['pdf active', 'table offered'],
  ]);
  expect(chat.run.state.disabled).toEqual([]);
});

test('a skill that is switched off is neither offered nor called, until it is switched on again', async () => {
  const { chat, of, model } = await chatWorld([answer('Without.'), answer('With.')]);
  await send(chat, '/disable pdf', '/pdf x', 'hello');
  expect(of('refused')[0]?.error).toMatchObject({ code: 'SKILL_NOT_FOUND', hint: 'Type /enable pdf' });
  expect(model.requests[0]?.system).not.toContain('What pdf is for.');
  await send(chat, '/enable pdf', '/enable pdf', '/disable nothing', '/disable', '/pdf x');
  expect(of('switched').map(({ name, on }) => [name, on])).toEqual([['pdf', false], ['pdf', true]]); // prettier-ignore
  expect(of('refused').map(({ error }) => error.code)).toEqual([
    'SKILL_NOT_FOUND',
    'SKILL_NOT_FOUND',
    'SKILL_NOT_FOUND',
    'USAGE',
  ]);
  expect(chat.run.state.activations).toMatchObject([{ name: 'pdf' }]);
});

test('a skill that only models may read is not called by a person, nor completed', async () => {
  const files = { 'inner/SKILL.md': skill('inner', 'Inner.', 'user-invocable: false\n') };
  const { chat, of, model } = await chatWorld([], { files });
  await send(chat, '/inner x');
  expect(of('refused')[0]?.error.code).toBe('TOOL_NOT_ALLOWED');
  expect(model.requests).toEqual([]);
  expect((await chat.complete('/inn')).candidates).toEqual([]);
});

test('SPEC-10: a skill of a project that is not trusted is refused by name, with the way to trust it', async () => {
  const { chat, of, model } = await chatWorld([], { withheld: ['secret'] });
  await send(chat, '/secret do it');
  expect(of('refused')[0]?.error).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  expect(of('refused')[0]?.error.hint).toContain('--trust-project');
  expect(model.requests).toEqual([]);
});

test('AGIO-17: a skill that is new on the disk is told of, and can be called at once', async () => {
  const files: Record<string, string> = { 'pdf/SKILL.md': skill('pdf', 'Read.') };
  const { chat, of, model } = await chatWorld([answer('One.'), answer('Two.')], { files });
  await send(chat, 'hello');
  files['fresh/SKILL.md'] = skill('fresh', 'Fresh text.');
  await send(chat, '/fresh words');
  expect(of('changed').map(({ change }) => change.added)).toEqual([['fresh']]);
  expect(model.requests[1]?.system).toContain('What fresh is for.');
  expect(of('answer')).toHaveLength(2);
});

test('/plan shows the plan as it stands, and /quit ends the chat', async () => {
  const plan = { goal: 'Read it', steps: [{ id: 'a', title: 'Open', status: 'pending' }], assumptions: [], constraints: {} } as const; // prettier-ignore
  const { chat, of } = await chatWorld([
    { action: { kind: 'update_plan' }, plan_update: { kind: 'replace', plan } },
    answer('Planned.'),
  ]);
  expect(await send(chat, '/plan', 'go', '/plan')).toBe(true);
  expect(of('plan').map(({ plan: present }) => present?.goal)).toEqual([undefined, 'Read it']);
  expect(await send(chat, '/quit')).toBe(false);
});

test('a question of the agent is answered by the next line', async () => {
  const { chat, of, lastRequest } = await chatWorld([
    { action: { kind: 'ask_user', question: 'Which?' } },
    answer('That.'),
  ]);
  await send(chat, 'open it', 'the second');
  expect(of('answer').map(({ answer: { text, stop } }) => `${stop}: ${text}`)).toEqual([
    'question: Which?',
    'final_answer: That.',
  ]);
  expect(lastRequest()).toMatch(/Which\?[\s\S]*the second/u);
});

test('a chat that is left at a question leaves its run open, whatever was typed after it that was no answer', async () => {
  const ask: ScriptReply = { action: { kind: 'ask_user', question: 'Which file?' } };
  for (const [lines, ends] of [
    [['Read it.'], false],
    [['Read it.', '/skills', '/nothing', 'x'.repeat(20_000_000)], false],
    [['Read it.', 'a.pdf'], true],
  ] as const) {
    const { chat, of } = await chatWorld([ask, answer('Read.')]);
    await send(chat, ...lines);
    await chat[Symbol.asyncDispose]();
    expect(
      of('step').some(({ event }) => event.type === 'run_finished'),
      lines.at(-1)?.slice(0, 9),
    ).toBe(ends);
  }
});

test('a request that is too long is told of, and the chat goes on', async () => {
  const { chat, of } = await chatWorld([answer('Short.')]);
  expect(await send(chat, 'x'.repeat(20_000_000), 'short')).toBe(true);
  expect(of('refused').map(({ error }) => error.code)).toEqual(['FILE_TOO_LARGE']);
  expect(of('answer')).toHaveLength(1);
});

test('a request that is cancelled ends as cancelled, and the next one is worked on', async () => {
  const { chat, of } = await chatWorld([answer('Never seen.'), answer('Seen.')]);
  const cancelled = new AbortController();
  const sending = chat.send('one', { signal: cancelled.signal });
  cancelled.abort();
  expect(await sending).toBe(true);
  await send(chat, 'two');
  expect(of('answer').at(-1)?.answer.stop).toBe('final_answer');
  expect(of('answer').filter(({ answer: { stop } }) => stop === 'cancelled').length + of('refused').length).toBe(1);
});

test('a record that cannot be written ends the chat', async () => {
  const { chat } = await chatWorld([answer('Lost.')], { broken: true });
  await expect(send(chat, 'hello')).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
});

test('commands and skills are completed', async () => {
  const { chat } = await chatWorld([]);
  expect((await chat.complete('/p')).candidates).toEqual(['/pdf', '/plan']);
  expect((await chat.complete('/skill t')).candidates).toEqual(['table ']);
});
