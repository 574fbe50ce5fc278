import { expect, test, type describe as Describe, type test as Test } from 'vitest';
import { checkAborted, untilAborted } from '../src/errors/until-aborted.js';
import type { ModelAdapter, ModelAnswer, ModelRequest } from '../src/model/model-adapter.js';
import type { ReplyBeside } from '../src/testing/model-adapter-contract-case.js';
import { modelAdapterContract } from '../src/testing/model-adapter-contract.js';

interface Held {
  readonly title: string;
  run(): Promise<void>;
}

interface ContractedOptions {
  readonly nativeTools?: boolean;
  readonly tells?: readonly (keyof ReplyBeside)[];
  /** What the adapter makes of an answer. */
  readonly change?: (answer: ModelAnswer) => ModelAnswer;
}

/** What the contract holds an adapter to that tells its provider `told` of a request. */
function contractFor(told: (request: ModelRequest) => string, options: ContractedOptions = {}): readonly Held[] {
  const { nativeTools, tells, change = (answer) => answer } = options;
  const cases: Held[] = [];
  const model = (reply: (prompt: string) => string, beside: ReplyBeside): ModelAdapter => ({
    name: 'test:contract',
    contextTokens: 1_000,
    nativeTools,
    decide: async (request, { signal, onText, onReasoning }) => {
      const text = await untilAborted(async () => reply(told(request)), signal);
      const { reasoning, finish = 'stop', usage = { inputTokens: 1, outputTokens: 1 } } = beside;
      const answer = change({ text, finish, usage, reasoning });
      if (answer.reasoning !== undefined) onReasoning?.(answer.reasoning);
      checkAborted(signal);
      onText?.(answer.text);
      checkAborted(signal);
      return answer;
    },
  });
  modelAdapterContract(
    async (reply, beside) => ({ model: model(reply, beside), close: async () => undefined }),
    // Casts: of vitest, the contract uses nothing but the title and the function.
    {
      describe: ((_: string, body: () => void) => body()) as unknown as typeof Describe,
      test: ((title: string, run: () => Promise<void>) => void cases.push({ title, run })) as unknown as typeof Test,
      expect,
    },
    { title: 'test', tells },
  );
  return cases;
}

async function failuresOf(cases: readonly Held[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { title, run } of cases) await run().catch(() => failed.push(title));
  return failed;
}

const words = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ content }) => content)].join('\n');
const everything = (request: ModelRequest): string => `${words(request)}\n${JSON.stringify(request.tools)}`;
const tools = 'the tools that are offered reach the provider: name, description and schema';
const messages = 'the provider is told the system text and each message, what was observed as well';

test('an adapter that hands on system text and messages keeps the contract, and so does one that hands on tools itself', async () => {
  expect(contractFor(words).length).toBeGreaterThan(8);
  expect(await failuresOf(contractFor(words))).toEqual([]);
  expect(await failuresOf(contractFor(everything, { nativeTools: true }))).toEqual([]);
});

test('an adapter that says that it hands on tools and does not, or leaves out what was said, breaks the contract', async () => {
  expect(await failuresOf(contractFor(words, { nativeTools: true }))).toEqual([tools]);
  const withoutSystem = (request: ModelRequest): string => words({ ...request, system: '' });
  expect(await failuresOf(contractFor(withoutSystem))).toEqual([messages, tools]);
  for (const role of ['user', 'assistant', 'observation'] as const) {
    const without = (request: ModelRequest): string =>
      words({ ...request, messages: request.messages.filter((message) => message.role !== role) });
    expect(await failuresOf(contractFor(without)), role).toContain(messages);
  }
  const withoutFailures = (request: ModelRequest): string =>
    words({ ...request, messages: request.messages.filter((message) => !('ok' in message) || message.ok) });
  expect(await failuresOf(contractFor(withoutFailures))).toEqual([messages]);
});

test('an adapter that mixes thoughts into its text, hides why an answer ended, or counts what was kept twice breaks the contract', async () => {
  const tells = ['reasoning', 'finish', 'usage'] as const;
  expect(contractFor(words, { tells }).length).toBe(contractFor(words).length + 5);
  expect(await failuresOf(contractFor(words, { tells }))).toEqual([]);
  const broken = async (change: (answer: ModelAnswer) => ModelAnswer): Promise<readonly string[]> =>
    failuresOf(contractFor(words, { tells, change }));
  expect(await broken((answer) => ({ ...answer, text: `${answer.reasoning ?? ''}${answer.text}` }))).toEqual([
    expect.stringContaining('told apart'),
  ]);
  expect(await broken(({ reasoning: _, ...answer }) => answer)).toEqual([
    expect.stringContaining('told apart'),
    expect.stringContaining('while the model thinks'),
  ]);
  expect(await broken((answer) => ({ ...answer, finish: 'stop' }))).toEqual([
    expect.stringContaining(': length'),
    expect.stringContaining(': refused'),
  ]);
  const twice = ({ usage, ...answer }: ModelAnswer): ModelAnswer => ({
    ...answer,
    usage: { ...usage, inputTokens: usage.inputTokens + (usage.cachedInputTokens ?? 0) },
  });
  expect(await broken(twice)).toEqual([expect.stringContaining('counts as a whole')]);
});
