import {
  agentActionKinds,
  SkillsError,
  untilAborted,
  type DecideOptions,
  type ErrorCode,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
} from '@skillpack/core';

/** What a played model does in one call: it answers, tells pieces and then fails, or fails. */
export type Play =
  | (Partial<ModelAnswer> & { readonly pieces?: readonly string[] })
  | { readonly fail: ErrorCode; readonly retryAfter?: number; readonly pieces?: readonly string[] };

export interface PlayedModel extends ModelAdapter {
  /** How often it was asked. */
  asked: number;
}

/** A model that does so, one after the other; the last again and again. */
export function playing(plays: readonly Play[], named: Partial<ModelAdapter> = {}): PlayedModel {
  return {
    name: 'mine:one',
    contextTokens: 1000,
    ...named,
    asked: 0,
    async decide(_request, { onText }) {
      const play = plays[Math.min(this.asked, plays.length - 1)] ?? {};
      this.asked += 1;
      for (const piece of play.pieces ?? ('text' in play && play.text !== undefined ? [play.text] : []))
        onText?.(piece);
      if ('fail' in play) {
        const data = play.retryAfter === undefined ? {} : { retryAfter: play.retryAfter };
        throw new SkillsError(play.fail, `It fails with ${play.fail}.`, { data });
      }
      const { pieces = [], ...answer } = play;
      return { text: pieces.join(''), usage: { inputTokens: 100, outputTokens: 10 }, finish: 'stop', ...answer };
    },
  };
}

/** A model whose calls end when they are told to. */
export function holding(): ModelAdapter & {
  readonly held: { readonly at: string; end: (answer?: Partial<ModelAnswer>) => void }[];
} {
  const held: { readonly at: string; end: (answer?: Partial<ModelAnswer>) => void }[] = [];
  return {
    name: 'mine:held',
    contextTokens: 1000,
    held,
    decide: async ({ system }, { signal }) =>
      untilAborted(
        async () =>
          new Promise<ModelAnswer>((resolve) => {
            const usage = { inputTokens: 100, outputTokens: 10 };
            held.push({ at: system, end: (answer) => resolve({ text: system, usage, finish: 'stop', ...answer }) });
          }),
        signal,
        'The call',
      ),
  };
}

export function requestFor(system: string): ModelRequest {
  return {
    system,
    messages: [{ role: 'user', content: 'go' }],
    tools: [],
    actions: agentActionKinds,
    answerSchema: {},
  };
}

export function calling(options: Partial<DecideOptions> = {}): DecideOptions {
  return { signal: new AbortController().signal, ...options };
}

/** The code of the error that a call ends with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return SkillsError.is(error) ? error.code : String(error);
}

/** Lets everything happen that waits for nothing else. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 200; round += 1) await Promise.resolve();
}
