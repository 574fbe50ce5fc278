import { expect, test, type describe as Describe, type test as Test } from 'vitest';
import { checkAborted, untilAborted } from '../src/errors/until-aborted.js';
import type { ModelAdapter, ModelRequest } from '../src/model/model-adapter.js';
import { modelAdapterContract } from '../src/testing/model-adapter-contract.js';

interface Held {
  readonly title: string;
  run(): Promise<void>;
}

/** What the contract holds an adapter to that tells its provider `told` of a request. */
function contractFor(told: (request: ModelRequest) => string, nativeTools?: boolean): readonly Held[] {
  const cases: Held[] = [];
  const model = (reply: (prompt: string) => string): ModelAdapter => ({
    name: 'test:contract',
    contextTokens: 1_000,
    nativeTools,
    decide: async (request, { signal, onText }) => {
      const text = await untilAborted(async () => reply(told(request)), signal);
      onText?.(text);
      checkAborted(signal);
      return { text, usage: { inputTokens: 1, outputTokens: 1 }, finish: 'stop' };
    },
  });
  modelAdapterContract(
    async (reply) => ({ model: model(reply), close: async () => undefined }),
    // Casts: of vitest, the contract uses nothing but the title and the function.
    {
      describe: ((_: string, body: () => void) => body()) as unknown as typeof Describe,
      test: ((title: string, run: () => Promise<void>) => void cases.push({ title, run })) as unknown as typeof Test,
      expect,
    },
    { title: 'test' },
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
  expect(await failuresOf(contractFor(everything, true))).toEqual([]);
});

test('an adapter that says that it hands on tools and does not, or leaves out what was said, breaks the contract', async () => {
  expect(await failuresOf(contractFor(words, true))).toEqual([tools]);
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
