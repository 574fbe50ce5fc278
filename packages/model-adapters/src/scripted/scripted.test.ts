import { agentActionKinds, decisionSchema, SkillsError, type ModelMessage, type ModelRequest } from '@skillpack/core';
import { modelAdapterContract } from '@skillpack/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkText } from './chunk-text.js';
import { scripted, type ScriptedModelOptions } from './scripted.js';
import type { ModelScript, ScriptRule } from './model-script.js';

modelAdapterContract(
  async (reply, { finish }) => ({
    model: scripted((_, { system, messages }) => ({
      say: reply([system, ...messages.map(({ content }) => content)].join('\n')),
      finish,
    })),
    close: async () => undefined,
  }),
  { describe, test, expect },
  { title: 'scripted', tells: ['finish'] },
);

const user = (content: string): ModelMessage => ({ role: 'user', content });
const saw = (content: string, ok = true): ModelMessage => ({ role: 'observation', ok, content });
const decided = (action: object): ModelMessage => ({ role: 'assistant', content: JSON.stringify({ action }) });
const selected = (name: string): ModelMessage =>
  decided({ kind: 'select_skills', skills: [{ name }], reason: 'It fits.' });
const final = (content: string) => ({ action: { kind: 'final_answer', content } }) as const;

function requestOf(messages: readonly ModelMessage[], tools: readonly string[] = []): ModelRequest {
  return {
    system: '- pdf: Reads PDF.',
    messages,
    tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    actions: agentActionKinds,
    answerSchema: decisionSchema(agentActionKinds),
  };
}

async function ask(model: ReturnType<typeof scripted>, request: ModelRequest): Promise<string> {
  return (await model.decide(request, { signal: new AbortController().signal })).text;
}

async function answerOf(script: ModelScript, messages: readonly ModelMessage[], tools?: readonly string[]) {
  return ask(scripted(script), requestOf(messages, tools));
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  return SkillsError.is(error) ? `${error.code}: ${error.message}` : `no error: ${String(error)}`;
}

test('PSA-31: a list is answered with in its order, and once it has run out the call says so', async () => {
  const model = scripted([final('one'), { say: 'no JSON', finish: 'length' }, { fail: 'TIMEOUT' }]);
  const request = requestOf([user('go')]);
  const signal = new AbortController().signal;
  expect(JSON.parse((await model.decide(request, { signal })).text)).toEqual(final('one'));
  expect(await model.decide(request, { signal })).toMatchObject({ text: 'no JSON', finish: 'length' });
  expect(await codeOf(ask(model, request))).toContain('TIMEOUT: ');
  expect(await codeOf(ask(model, request))).toBe('INVALID_CONFIG: The script has 3 replies, and this is call 4.');
  expect(model.requests).toEqual([request, request, request, request]);
});

test('PSA-31: a reply may bring what the model thought, told before its text, and what the call took', async () => {
  const usage = { inputTokens: 5, reasoningTokens: 3, cost: 0.25 };
  const model = scripted([
    { decide: final('one'), reasoning: 'It may be one.', usage },
    { say: 'two', reasoning: '' },
  ]);
  const told: string[] = [];
  const options = {
    signal: new AbortController().signal,
    onText: (piece: string) => told.push(`text ${piece}`),
    onReasoning: (piece: string) => told.push(`thought ${piece}`),
  };
  const answer = await model.decide(requestOf([user('go')]), options);
  expect(JSON.parse(answer.text)).toEqual(final('one'));
  expect(answer).toMatchObject({ reasoning: 'It may be one.', usage, finish: 'stop' });
  expect(answer.usage.outputTokens).toBeGreaterThan(0);
  const joined = (kind: string): string =>
    told.flatMap((piece) => (piece.startsWith(kind) ? [piece.slice(kind.length + 1)] : [])).join('');
  expect([joined('thought'), joined('text')]).toEqual([answer.reasoning, answer.text]);
  expect(told.findLastIndex((piece) => piece.startsWith('thought'))).toBe(
    told.findIndex((piece) => piece.startsWith('text')) - 1,
  );
  expect(await model.decide(requestOf([user('go')]), options)).toMatchObject({ text: 'two', reasoning: '' });
});

test('of what it was asked, as much is kept as is wanted', async () => {
  const replies = Array.from({ length: 4 }, () => ({ say: 'It is asked.' }));
  for (const [keptRequests, kept] of [
    [undefined, ['1', '2', '3', '4']],
    [2, ['3', '4']],
    [0, []],
  ] as const) {
    const model = scripted(replies, { keptRequests });
    for (const system of ['1', '2', '3', '4']) {
      await model.decide({ ...requestOf([user('go')]), system }, { signal: new AbortController().signal });
    }
    expect(model.requests.map(({ system }) => system)).toEqual(kept);
  }
});

test('PSA-31: a function sees the conversation: request, turn, observations, decisions and the skills that were read', async () => {
  const messages = [
    user('earlier'),
    selected('old'),
    saw('old body'),
    user('now'),
    selected('pdf'),
    saw('pdf body'),
    selected('missing'),
    saw('There is no skill “missing”.', false),
    { role: 'assistant', content: 'nonsense' } as const,
    saw('not JSON', false),
  ];
  let seen: unknown;
  await answerOf((conversation) => {
    seen = conversation;
    return final('');
  }, messages);
  expect(seen).toMatchObject({
    request: 'now',
    turn: 4,
    observation: { ok: false, content: 'not JSON' },
    seen: [{ content: 'pdf body' }, { content: 'There is no skill “missing”.' }, { content: 'not JSON' }],
    decisions: [{ action: { kind: 'select_skills' } }, { action: { kind: 'select_skills' } }],
    activeSkills: ['old', 'pdf'],
  });
});

test('PSA-31: which skills were read is what the states in the conversation say, and nothing where there is none', async () => {
  const state = (skills: string): string => `\n<run_state>\nturn 2\nskills loaded: ${skills}\n</run_state>`;
  const messages = [user('go'), selected('pdf'), saw(`Read.${state('pdf, a&amp;b')}`), selected('x'), saw('Refused.')];
  let seen: unknown;
  await answerOf((conversation) => {
    seen = conversation;
    return final('');
  }, messages);
  expect(seen).toHaveProperty('activeSkills', ['pdf', 'a&b']);
  expect(seen).toHaveProperty('seen', [
    { ok: true, content: 'Read.' },
    { ok: true, content: 'Refused.' },
  ]);
});

const conversations: Readonly<Record<string, readonly ModelMessage[]>> = {
  first: [user('Summarise report.pdf')],
  second: [user('Summarise report.pdf'), selected('pdf'), saw('Run scripts/pdf.mjs')],
  failed: [user('Summarise report.pdf'), selected('pdf'), saw('It cannot be read', false)],
};

test.for<readonly [ScriptRule['when'], readonly string[]]>([
  [undefined, ['first', 'second', 'failed']],
  [{ request: 'REPORT' }, ['first', 'second', 'failed']],
  [{ request: /^Summarise \S+\.pdf$/u }, ['first', 'second', 'failed']],
  [{ request: 'table' }, []],
  [{ system: 'reads pdf' }, ['first', 'second', 'failed']],
  [{ observation: /pdf\.mjs/gu }, ['second']],
  [{ saw: 'cannot' }, ['failed']],
  [{ request: /report/gu }, ['first', 'second', 'failed']],
  [{ request: /report/uy }, ['first', 'second', 'failed']],
  [{ ok: true }, ['second']],
  [{ ok: false }, ['failed']],
  [{ turn: 1 }, ['first']],
  [{ turn: 2 }, ['second', 'failed']],
  [{ after: 'select_skills' }, ['second', 'failed']],
  [{ skillActive: 'pdf' }, ['second']],
  [{ skillInactive: 'pdf' }, ['first', 'failed']],
  [{ toolOffered: 'read' }, ['first', 'second', 'failed']],
  [{ toolOffered: 'write' }, []],
  [{ toolNotOffered: 'write', turn: 1 }, ['first']],
  [{ actionOffered: 'run_script', ok: true }, ['second']],
])('PSA-31: a rule with %j fits %j', async ([when, expected]) => {
  const fits: string[] = [];
  for (const [name, messages] of Object.entries(conversations)) {
    const text = await answerOf({ rules: [{ when, reply: final('fits') }, { reply: final('no') }] }, messages, [
      'read',
    ]);
    if (text.includes('fits')) fits.push(name);
  }
  expect(fits).toEqual(expected);
});

test('PSA-31: what expressions captured goes into the texts of a reply, as it is and nowhere else', async () => {
  const rules: readonly ScriptRule[] = [
    {
      when: { request: /read (?<file>\S+) for (.+)/u, observation: /"page (\d+)(x)?"/u },
      reply: {
        action: {
          kind: 'call_tool',
          tool: 't',
          input: { ['$1']: ['${file}', { page: '$1$2' }, '$$1 $9 ${nobody} $'], depth: 1, none: null },
        },
      },
    },
  ];
  const messages = [user('read a"},$1${file}.pdf for me'), selected('pdf'), saw('on "page 12"')];
  expect(JSON.parse(await answerOf({ rules }, messages))).toEqual({
    action: {
      kind: 'call_tool',
      tool: 't',
      input: { $1: ['a"},$1${file}.pdf', { page: '12' }, '$1 $9 ${nobody} $'], depth: 1, none: null },
    },
  });
  const twice = { request: /read (?<word>\S)/u, observation: /(?<word>page)/u };
  const named = await answerOf({ rules: [{ when: twice, reply: final('${word}') }] }, messages);
  expect(JSON.parse(named)).toEqual(final('page'));
  // Without an expression a dollar is a dollar.
  const plain = await answerOf({ rules: [{ when: { request: 'read' }, reply: final('$1 $$') }] }, messages);
  expect(JSON.parse(plain)).toEqual(final('$1 $$'));
});

test('PSA-31: an expression is tried on the first 100,000 characters of a text, words on all of it', async () => {
  const request = [user(`${'a'.repeat(99_999)}bc`)];
  const fits = async (pattern: RegExp | string): Promise<boolean> => {
    const rules: readonly ScriptRule[] = [
      { when: { request: pattern }, reply: { say: 'fits' } },
      { reply: { say: 'no' } },
    ];
    return (await answerOf({ rules }, request)) === 'fits';
  };
  expect([await fits(/b/u), await fits(/c/u), await fits('c')]).toEqual([true, false, true]);
});

test('PSA-31: rules that go in a circle and rules that do not fit are told of', async () => {
  const model = scripted({ rules: [{ name: 'pick', reply: { say: 'again' } }] });
  const request = requestOf([user('go')]);
  const afterTurns = (turns: number) =>
    requestOf([user('go'), ...Array.from({ length: turns }, () => [decided(final('no')), saw('No.', false)]).flat()]);
  for (let turn = 0; turn < 3; turn += 1) expect(await ask(model, afterTurns(turn))).toBe('again');
  expect(await codeOf(ask(model, afterTurns(3)))).toBe(
    'INVALID_CONFIG: The script goes in a circle: the rule “pick” gave the same answer 4 times.',
  );
  expect(await ask(model, requestOf([user('another')]))).toBe('again');
  const none = scripted({ rules: [{ when: { turn: 2 }, reply: { say: 'x' } }] });
  expect(await codeOf(ask(none, request))).toBe(
    'INVALID_CONFIG: None of the 1 rules of the script fits turn 1 of “go”, nothing observed yet.',
  );
});

test('PSA-31: the same question asked again and again has the same answer each time', async () => {
  const model = scripted({ rules: [{ reply: final('Good day.') }] });
  const turns = ['hi', 'hi', 'hi', 'hi', 'hi', 'hi'].map((text, at, all) =>
    requestOf(
      all
        .slice(0, at + 1)
        .flatMap((one, before) => (before < at ? [user(one), decided(final('Good day.'))] : [user(text)])),
    ),
  );
  for (const request of turns) expect(await ask(model, request)).toContain('Good day.');
});

test('PSA-31: a rule can be used a number of times, such as a failure that happens once', async () => {
  const model = scripted({
    rules: [{ times: 1, reply: { fail: 'NETWORK_ERROR' } }, { reply: final('done') }],
  });
  const request = requestOf([user('go')]);
  expect(await codeOf(ask(model, request))).toContain('NETWORK_ERROR: ');
  expect(JSON.parse(await ask(model, request))).toEqual(final('done'));
});

test('PSA-30, PSA-31: text arrives in pieces of whole code points, the same for a seed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), fc.integer({ min: 1, max: 40 }), (text, seed, longest) => {
      const chunks = chunkText(text, { seed, longest });
      expect(chunks.join('')).toBe(text);
      expect(chunkText(text, { seed, longest })).toEqual(chunks);
      const lengths = chunks.map((chunk) => Array.from(chunk).length);
      expect(lengths.every((length) => length > 0 && length <= longest)).toBe(true);
      expect(!text.isWellFormed() || chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
    }),
  );
  // What was recorded of a script arrives in the same pieces, whichever version of the package plays it.
  expect(chunkText('abcdefghijklmnopqrstuvwxyz0123456789', { seed: 7, longest: 9 })).toEqual([
    'a',
    'b',
    'cdefghijk',
    'lmnopqr',
    'stuvw',
    'xyz0',
    '12345',
    '678',
    '9',
  ]);
  expect(chunkText('abcdefghijklmnopqrstuvwxyz', { seed: 1 })).not.toEqual(
    chunkText('abcdefghijklmnopqrstuvwxyz', { seed: 2 }),
  );
});

test('a pause is waited for before each piece, and an abort in one ends the call', async () => {
  const controller = new AbortController();
  const deltas: string[] = [];
  let pauses = 0;
  const options: ScriptedModelOptions = {
    chunks: { longest: 1 },
    pause: async () => {
      pauses += 1;
      if (pauses === 4) controller.abort();
    },
  };
  const model = scripted([{ say: 'abcdef' }], options);
  const call = model.decide(requestOf([user('go')]), {
    signal: controller.signal,
    onText: (delta) => deltas.push(delta),
  });
  expect(await codeOf(call)).toContain('INTERRUPTED: ');
  expect(deltas).toEqual(['a', 'b', 'c']);
});

test('a call that was aborted before is not made, and one that is aborted with its last piece gives no answer', async () => {
  const controller = new AbortController();
  const model = scripted([{ say: 'a' }]);
  const call = async () =>
    codeOf(model.decide(requestOf([user('go')]), { signal: controller.signal, onText: () => controller.abort() }));
  expect(await call()).toContain('INTERRUPTED: ');
  expect(await call()).toContain('INTERRUPTED: ');
  expect(model.requests).toHaveLength(1);
});

test('an abort ends a call whose function never answers', async () => {
  const controller = new AbortController();
  const model = scripted(() => {
    controller.abort();
    return new Promise(() => undefined);
  });
  const call = model.decide(requestOf([user('go')]), { signal: controller.signal });
  expect(await codeOf(call)).toContain('INTERRUPTED: ');
});
