import { renderTools } from '../agent/context/render-tools.js';
import type { ModelAdapter, ModelMessage, ModelRequest } from '../model/model-adapter.js';
import { besideCases } from './model-adapter-contract-beside.js';
import {
  expectInterrupted,
  longAnswer,
  type ModelAdapterContractPorts,
  type ModelContractCase,
  optionsOf,
  type ReplyBeside,
  requestOf,
} from './model-adapter-contract-case.js';

/** A model under test. */
export interface ModelAdapterSubject {
  readonly model: ModelAdapter;
  close(): Promise<void>;
}

/**
 * Makes a model that answers as `reply` says: the provider behind it, or what stands in for it, calls `reply` with all that
 * it was told (the system text, each message, and the tools where they come to it in another way; in any order and form in
 * which each text is whole, such as the body of the request) and sends exactly what it returns.
 */
export type MakeModelSubject = (
  reply: (prompt: string) => string,
  /** What else the provider sends with each answer. Only what the options say that it `tells` is asked for. */
  beside: ReplyBeside,
) => Promise<ModelAdapterSubject>;

/** How the contract is run. */
export interface ModelAdapterContractOptions {
  /** Names the model in the titles. */
  readonly title: string;
  /** What the provider can be made to send beside a text; what is not among it is not tested. @default [] */
  readonly tells?: readonly (keyof ReplyBeside)[] | undefined;
}

/**
 * What every `ModelAdapter` promises, as tests: call it at the top of a test file.
 *
 * @example
 * ```ts
 * modelAdapterContract(makeSubject, { describe, test, expect }, { title: 'scripted' });
 * ```
 */
export function modelAdapterContract(
  makeSubject: MakeModelSubject,
  ports: ModelAdapterContractPorts,
  options: ModelAdapterContractOptions,
): void {
  ports.describe(`model adapter contract: ${options.title}`, () => {
    const { tells = [] } = options;
    const besides = besideCases(ports).filter(({ beside = {} }) =>
      // Cast: its keys are those of its type.
      (Object.keys(beside) as (keyof ReplyBeside)[]).every((key) => tells.includes(key)),
    );
    for (const { title, reply, beside = {}, run } of [...answerCases(ports), ...callCases(ports), ...besides]) {
      ports.test(title, async () => {
        const subject = await makeSubject(reply, beside);
        try {
          await run(subject.model);
        } finally {
          await subject.close();
        }
      });
    }
  });
}

function answerCases({ expect }: ModelAdapterContractPorts): readonly ModelContractCase[] {
  return [
    {
      title: 'the pieces of an answer together are its text, which is what the model said',
      reply: () => longAnswer,
      run: async (model) => {
        const deltas: string[] = [];
        const answer = await model.decide(
          requestOf('Say it.'),
          optionsOf((delta) => deltas.push(delta)),
        );
        expect(answer.text).toBe(longAnswer);
        expect(deltas.join('')).toBe(longAnswer);
        expect(answer.finish).toBe('stop');
        expect((await model.decide(requestOf('Say it.'), optionsOf())).text).toBe(longAnswer);
      },
    },
    {
      title: 'an answer that is no decision is handed on as it is: somebody else judges it',
      reply: () => 'I would rather {not} say.',
      run: async (model) => {
        expect((await model.decide(requestOf('Say it.'), optionsOf())).text).toBe('I would rather {not} say.');
      },
    },
    {
      title: 'what a call took is told in whole tokens, and in money only where a price is known',
      reply: () => longAnswer,
      run: async (model) => {
        const { usage } = await model.decide(requestOf('Say it.'), optionsOf());
        const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
        for (const tokens of [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens]) {
          expect(Number.isSafeInteger(tokens) && tokens >= 0, String(tokens)).toBe(true);
        }
        expect(cachedInputTokens + cacheWriteTokens).toBeLessThanOrEqual(inputTokens);
        expect(reasoningTokens).toBeLessThanOrEqual(outputTokens);
        expect(Number.isFinite(usage.cost ?? 0) && (usage.cost ?? 0) >= 0).toBe(true);
      },
    },
    {
      title: 'a conversation of every kind of message and with tools is answered, and the request stays as it was',
      reply: () => longAnswer,
      run: async (model) => {
        const request = requestOf('And now?', conversation);
        const before = structuredClone(request);
        expect((await model.decide(freeze(request), optionsOf())).text).toBe(longAnswer);
        expect(request).toEqual(before);
      },
    },
    {
      title: 'the provider is told the system text and each message, what was observed as well',
      reply: (prompt) => JSON.stringify(told.map((word) => prompt.includes(word))),
      run: async (model) => {
        const conversation: readonly ModelMessage[] = [
          { role: 'user', content: told[1] },
          { role: 'assistant', content: told[2] },
          { role: 'observation', ok: true, content: told[3] },
          { role: 'assistant', content: 'no decision' },
          { role: 'observation', ok: false, content: told[4] },
        ];
        const request = { ...requestOf(told[5], conversation), system: told[0] };
        expect(JSON.parse((await model.decide(request, optionsOf())).text)).toEqual(told.map(() => true));
        // An agent asks again after an observation: there is no message of a person behind it.
        const observed = { ...request, messages: conversation };
        const answer: unknown = JSON.parse((await model.decide(observed, optionsOf())).text);
        expect(answer).toEqual(told.map((word) => word !== told[5]));
      },
    },
    {
      title: 'the tools that are offered reach the provider: name, description and schema',
      reply: (prompt) => JSON.stringify(toolWords.filter((word) => prompt.includes(word))),
      run: async (model) => {
        const request = toolRequest(model.nativeTools === true);
        expect(JSON.parse((await model.decide(request, optionsOf())).text)).toEqual(toolWords);
      },
    },
  ];
}

// Words that stand in no other text of a request.
const told = ['sys-1a', 'ask-2b', 'did-3c', 'saw-4d', 'failed-5e', 'ask-6f'] as const;
const toolWords = ['shout_7g', 'Writes in capitals 8h.', 'loudness_9i'];

/** As the agent loop makes it: the tools are in the system text, unless the adapter hands them over itself. */
function toolRequest(nativeTools: boolean): ModelRequest {
  const [name = '', description = '', field = ''] = toolWords;
  const tools = [{ name, description, inputSchema: { type: 'object', properties: { [field]: { type: 'number' } } } }];
  const system = nativeTools ? 'You answer with one action.' : renderTools(tools);
  return { ...requestOf('Be loud.'), system, tools };
}

function callCases({ expect }: ModelAdapterContractPorts): readonly ModelContractCase[] {
  const echo = (prompt: string): string => `{"marker":"${/call-\d+-end/u.exec(prompt)?.[0] ?? 'none'}"}`;
  return [
    {
      title: 'a model has a name with its provider, and a window, which stay the same',
      reply: () => longAnswer,
      run: async (model) => {
        const { name, contextTokens } = model;
        expect(name).toMatch(/^[^\s:]+:\S+$/u);
        expect(Number.isSafeInteger(contextTokens) && contextTokens > 0).toBe(true);
        await model.decide(requestOf('Say it.'), optionsOf());
        expect([model.name, model.contextTokens]).toEqual([name, contextTokens]);
      },
    },
    {
      title: 'calls at the same time do not mix',
      reply: echo,
      run: async (model) => {
        const calls = Array.from({ length: 8 }, async (_, index) => {
          const deltas: string[] = [];
          const request = requestOf(`This is call-${index}-end.`);
          const { text } = await model.decide(
            request,
            optionsOf((delta) => deltas.push(delta)),
          );
          expect(text).toBe(`{"marker":"call-${index}-end"}`);
          expect(deltas.join('')).toBe(text);
        });
        await Promise.all(calls);
      },
    },
    {
      title: 'a call with an aborted signal is INTERRUPTED, tells nothing, and spoils no later call',
      reply: () => longAnswer,
      run: async (model) => {
        const deltas: string[] = [];
        const options = { signal: AbortSignal.abort(), onText: (delta: string) => deltas.push(delta) };
        await expectInterrupted(expect, model.decide(requestOf('Say it.'), options));
        expect(deltas).toEqual([]);
        expect((await model.decide(requestOf('Say it.'), optionsOf())).text).toBe(longAnswer);
      },
    },
    {
      title: 'a call that is aborted while text arrives is INTERRUPTED, and tells no more',
      reply: () => longAnswer,
      run: async (model) => {
        const controller = new AbortController();
        const deltas: string[] = [];
        const onText = (delta: string): void => {
          deltas.push(delta);
          controller.abort();
        };
        const call = model.decide(requestOf('Say it.'), { signal: controller.signal, onText });
        await expectInterrupted(expect, call);
        expect(deltas).toHaveLength(1);
        expect((await model.decide(requestOf('Say it.'), optionsOf())).text).toBe(longAnswer);
      },
    },
  ];
}

const conversation: readonly ModelMessage[] = [
  { role: 'user', content: 'What is in it?' },
  { role: 'assistant', content: '{"action":{"kind":"search_skills","query":"pdf"}}' },
  { role: 'observation', ok: true, content: 'pdf: Reads PDF.' },
  { role: 'assistant', content: 'no decision' },
  { role: 'observation', ok: false, content: 'The answer is not JSON.' },
  { role: 'assistant', content: '{"action":{"kind":"final_answer","content":"Nothing."}}' },
];

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
