import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentOptions, AskOptions, RunAnswer } from '../../src/agent/agent-run.js';
import { createRedactor } from '../../src/agent/record/create-redactor.js';
import { redactNothing } from '../../src/agent/record/redaction.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { agentWorld, answer, echoTool, named, type AgentWorld, type Reply } from './agent-world.js';

const call: Reply = { kind: 'call_tool', tool: 'step', input: { content: 'of the tool' } };

/** What a run that is asked once tells, of a model that writes in pieces of so many code units. */
async function heardOf(
  replies: readonly Reply[],
  { size = 1, ...options }: Partial<AgentOptions> & { readonly size?: number } = {},
): Promise<{ heard: (readonly [string, string])[]; given: RunAnswer; world: AgentWorld }> {
  const world = agentWorld(replies, { tools: [echoTool('step')] });
  const run = await startRun({ ...world.ports, model: inPieces(world, size) }, named(options));
  const heard: (readonly [string, string])[] = [];
  const given = await run.ask('Go.', { onAnswer: (delta, text) => heard.push([delta, text]) });
  return { heard, given, world };
}

function inPieces({ model }: AgentWorld, size: number): AgentWorld['model'] {
  return {
    ...model,
    decide: async (request, options) => {
      const said = await model.decide(request, options);
      for (let at = 0; at < said.text.length; at += size) options.onText?.(said.text.slice(at, at + size));
      return said;
    },
  };
}

test('PSA-30: the text of the answer is told while it is written, and nothing else that the model writes', async () => {
  const { heard, given } = await heardOf([call, answer('Three pages.')], { size: 5, redact: redactNothing });
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.map(([delta]) => delta).join('')).toBe('Three pages.');
  expect(heard.at(-1)?.[1]).toBe(given.text);
  const question = await heardOf([{ kind: 'ask_user', question: 'Which?' }], { redact: redactNothing });
  expect(question.heard.at(-1)).toEqual(['?', 'Which?']);
});

test('PSA-30: together the pieces are the answer, safe for a terminal, however they are cut', async () => {
  const nasty = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u001B', '\u202E', '漢', '👍', '"', '\\', '\t') });
  await fc.assert(
    fc.asyncProperty(nasty, fc.integer({ min: 1, max: 9 }), async (content, size) => {
      const { heard, given } = await heardOf([answer(content)], { size });
      expect(heard.map(([delta]) => delta).join('')).toBe(given.text);
      expect(heard.at(-1)?.[1] ?? '').toBe(given.text);
    }),
    { numRuns: 30 },
  );
});

test('PSA-30: where the model is asked again, what was told is taken back', async () => {
  const world = agentWorld([answer('Second.')]);
  const fails: AgentWorld['model'] = {
    ...world.model,
    decide: async (request, options) => {
      if (world.of('model_failed').length > 0) return inPieces(world, 50).decide(request, options);
      options.onText?.('{"action":{"kind":"final_answer","content":"Fir');
      throw new SkillsError('NETWORK_ERROR', 'The line is down.');
    },
  };
  const heard: unknown[] = [];
  const run = await startRun({ ...world.ports, model: fails }, named({ redact: redactNothing }));
  await run.ask('Go.', { onAnswer: (delta, text) => heard.push([delta, text]) });
  expect(heard.slice(0, 2)).toEqual([
    ['Fir', 'Fir'],
    ['', ''],
  ]);
  expect(heard.slice(2).at(-1)).toEqual([expect.any(String), 'Second.']);
});

test('PSA-30: of an answer that the loop writes itself, nothing that the model said is left', async () => {
  const cut = '{"action":{"kind":"final_answer","content":"Half of';
  const { heard, given } = await heardOf([cut], { limits: { turns: 1 } });
  expect(given.degraded).toBe(true);
  expect(heard.at(-2)?.[1]).toBe('Half of');
  expect(heard.at(-1)).toEqual(['', '']);
});

test('PSA-30: a model that writes in no pieces has its answer told as one', async () => {
  const run = await startRun(agentWorld([answer('Done.')]).ports, named());
  const heard: unknown[] = [];
  await run.ask('Go.', { onAnswer: (delta, text) => heard.push([delta, text]) });
  expect(heard).toEqual([['Done.', 'Done.']]);
});

test('PSA-30: no secret is told, not in part', async () => {
  const redact = createRedactor({ values: ['correct horse battery'] });
  const { heard, given } = await heardOf([answer('It is correct horse battery, as you know.')], { redact });
  expect(given.text).toBe('It is [redacted:value], as you know.');
  expect(heard.map(([delta]) => delta).join('')).toBe(given.text);
  expect(heard.length).toBeGreaterThan(3);
});

test.each(['onText', 'onAnswer'] as const)('what %s throws is thrown once the answer is recorded', async (name) => {
  const world = agentWorld([answer('First.'), answer('Second.')]);
  const run = await startRun({ ...world.ports, model: inPieces(world, 3) }, named());
  let calls = 0;
  const options: AskOptions = {
    [name]: () => {
      calls += 1;
      throw new RangeError('No room.');
    },
  };
  await expect(run.ask('Go.', options)).rejects.toThrow(new RangeError('No room.'));
  expect(calls).toBe(1);
  expect(run.state.answer).toMatchObject({ text: 'First.', stop: 'final_answer' });
  expect(await run.ask('Again.')).toMatchObject({ text: 'Second.' });
});
