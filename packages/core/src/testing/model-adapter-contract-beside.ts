import {
  expectInterrupted,
  longAnswer,
  type ModelAdapterContractPorts,
  type ModelContractCase,
  optionsOf,
  requestOf,
} from './model-adapter-contract-case.js';

const thoughts = 'First the skill, “pdf”.\n\nThen {"action":{"kind":"final_answer","content":"not this"}} \u{1F600}.';
const usage = {
  inputTokens: 1000,
  outputTokens: 200,
  cachedInputTokens: 600,
  cacheWriteTokens: 100,
  reasoningTokens: 150,
} as const;

/** What a provider tells beside the text of an answer. */
export function besideCases({ expect }: ModelAdapterContractPorts): readonly ModelContractCase[] {
  const finishes = ['length', 'refused'] as const;
  return [
    {
      title: 'what the model thought is told apart, whoever listens, and is no part of the text',
      reply: () => longAnswer,
      beside: { reasoning: thoughts },
      run: async (model) => {
        const [deltas, texts]: [string[], string[]] = [[], []];
        const onReasoning = (delta: string): void => void deltas.push(delta);
        const options = { ...optionsOf((delta) => texts.push(delta)), onReasoning };
        const answer = await model.decide(requestOf('Say it.'), options);
        expect([answer.text, answer.reasoning]).toEqual([longAnswer, thoughts]);
        expect([texts.join(''), deltas.join('')]).toEqual([longAnswer, thoughts]);
        expect((await model.decide(requestOf('Say it.'), optionsOf())).reasoning).toBe(thoughts);
      },
    },
    {
      title: 'a call that is aborted while the model thinks is INTERRUPTED, and tells no more',
      reply: () => longAnswer,
      beside: { reasoning: thoughts },
      run: async (model) => {
        const controller = new AbortController();
        const told: string[] = [];
        const onReasoning = (): void => controller.abort();
        const onText = (delta: string): void => void told.push(delta);
        const call = model.decide(requestOf('Say it.'), { signal: controller.signal, onText, onReasoning });
        await expectInterrupted(expect, call);
        expect(told).toEqual([]);
      },
    },
    ...finishes.map((finish): ModelContractCase => ({
      title: `an answer that ended otherwise than by itself says so: ${finish}`,
      reply: () => 'No, I would',
      beside: { finish },
      run: async (model) => {
        const answer = await model.decide(requestOf('Say it.'), optionsOf());
        expect([answer.text, answer.finish]).toEqual(['No, I would', finish]);
      },
    })),
    {
      title: 'the input counts as a whole, and what was kept of it, is kept from now on, or was thought, as a part',
      reply: () => longAnswer,
      beside: { usage },
      run: async (model) => {
        const told = (await model.decide(requestOf('Say it.'), optionsOf())).usage;
        const { inputTokens, outputTokens, cachedInputTokens } = usage;
        expect(told).toMatchObject({ inputTokens, outputTokens, cachedInputTokens });
        // Not every provider tells of these.
        expect([undefined, 0, usage.cacheWriteTokens]).toContain(told.cacheWriteTokens);
        expect([undefined, 0, usage.reasoningTokens]).toContain(told.reasoningTokens);
      },
    },
  ];
}
