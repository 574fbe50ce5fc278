import {
  checkAborted,
  estimateTokens,
  SkillsError,
  untilAborted,
  type DecideOptions,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
} from '@skillpack/core';
import { chunkText, type ChunkOptions } from './chunk-text.js';
import type { ModelScript, ScriptExtras, ScriptReply } from './model-script.js';
import { readConversation, type Conversation } from './read-conversation.js';
import { createRulePlayer } from './rule-player.js';

/** How a scripted model behaves. */
export interface ScriptedModelOptions {
  /** @default 'scripted:script' */
  readonly name?: string | undefined;
  /** @default 128000 */
  readonly contextTokens?: number | undefined;
  /** How its text arrives. @default seed 1, at most 12 code points a piece */
  readonly chunks?: ChunkOptions | undefined;
  /** Awaited before each piece, as for a screen that shows how text arrives. @default nothing is waited for */
  readonly pause?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** How often rules may give the same answer in a row before they count as a loop. @default 3 */
  readonly maxRepeats?: number | undefined;
  /** How many of the newest requests are kept in `requests`. @default Infinity */
  readonly keptRequests?: number | undefined;
  /** Tokens of a text. @default `estimateTokens` */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A model that says what a script says. */
export interface ScriptedModel extends ModelAdapter {
  /** What it was asked, in order: all of it, or as much as `keptRequests` says. */
  readonly requests: readonly ModelRequest[];
}

/** What an abort ends, as the message calls it. */
const cancelled = 'The call of the model';

type Player = (conversation: Conversation, request: ModelRequest) => ScriptReply | Promise<ScriptReply>;

/**
 * A model that needs no network and always says the same: for tests, demonstrations and evaluations.
 *
 * Its calls throw `INVALID_CONFIG` when a list has run out, no rule fits, or rules go in a circle; `INTERRUPTED` when
 * aborted; and the code of a reply that fails on purpose.
 *
 * @example
 * ```ts
 * const model = scripted([
 *   { action: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It reads PDF.' } },
 *   { action: { kind: 'final_answer', content: 'Done.' } },
 * ]);
 * ```
 */
export function scripted(script: ModelScript, options: ScriptedModelOptions = {}): ScriptedModel {
  const { name = 'scripted:script', contextTokens = 128_000 } = options;
  const { countTokens = estimateTokens, keptRequests = Infinity } = options;
  const requests: ModelRequest[] = [];
  const play = playerOf(script, options.maxRepeats ?? 3);
  return {
    name,
    contextTokens,
    requests,
    async decide(request, decideOptions) {
      checkAborted(decideOptions.signal, cancelled);
      requests.push(request);
      if (requests.length > keptRequests) requests.shift();
      const conversation = readConversation(request.messages);
      const reply = await untilAborted(async () => play(conversation, request), decideOptions.signal, cancelled);
      if ('fail' in reply) throw failure(reply);
      const { text, finish, reasoning, usage } = answerOf(reply);
      const { signal, onText, onReasoning } = decideOptions;
      if (reasoning !== undefined) await stream(reasoning, { signal, tell: onReasoning }, options);
      await stream(text, { signal, tell: onText }, options);
      return {
        text,
        usage: {
          ...usage,
          inputTokens: usage?.inputTokens ?? countTokens(textOf(request)),
          outputTokens: usage?.outputTokens ?? countTokens(text),
        },
        finish,
        ...(reasoning === undefined ? {} : { reasoning }),
      };
    },
  };
}

function playerOf(script: ModelScript, maxRepeats: number): Player {
  if (typeof script === 'function') return script;
  if ('rules' in script) return createRulePlayer(script.rules, { maxRepeats });
  let calls = 0;
  return () => {
    const reply = script[calls];
    calls += 1;
    if (reply !== undefined) return reply;
    throw new SkillsError('INVALID_CONFIG', `The script has ${script.length} replies, and this is call ${calls}.`, {
      hint: 'Add a reply, or end the script with a final_answer.',
      data: { replies: script.length, call: calls },
    });
  };
}

interface Listener {
  readonly signal: AbortSignal;
  readonly tell: DecideOptions['onText'];
}

async function stream(text: string, { signal, tell }: Listener, options: ScriptedModelOptions): Promise<void> {
  for (const chunk of chunkText(text, options.chunks)) {
    await untilAborted(async () => options.pause?.(signal), signal, cancelled);
    tell?.(chunk);
  }
  checkAborted(signal, cancelled);
}

interface Answer extends ScriptExtras {
  readonly text: string;
  readonly finish: ModelAnswer['finish'];
}

function answerOf(reply: Exclude<ScriptReply, { fail: unknown }>): Answer {
  if ('say' in reply) {
    const { say, finish = 'stop', reasoning, usage } = reply;
    return { text: say, finish, reasoning, usage };
  }
  if (!('decide' in reply)) return { text: JSON.stringify(reply), finish: 'stop' };
  const { decide, reasoning, usage } = reply;
  return { text: JSON.stringify(decide), finish: 'stop', reasoning, usage };
}

function failure({ fail, message }: { readonly fail: SkillsError['code']; readonly message?: string | undefined }) {
  return new SkillsError(fail, message ?? `The script lets this call fail with ${fail}.`);
}

function textOf(request: ModelRequest): string {
  const tools = request.tools.map((tool) => JSON.stringify(tool));
  return [request.system, ...request.messages.map(({ content }) => content), ...tools].join('\n');
}
