import { checkAborted, SkillsError, untilAborted } from '@skillpack/core';
import type { ModelAdapter, ModelMessage, ModelRequest } from '@skillpack/core';

/** A model behind a server that speaks the protocol of chat completions. */
export function httpModel(url: string, token: string): ModelAdapter {
  const ask = async ({ system, messages, answerSchema }: ModelRequest, signal: AbortSignal) => {
    const json_schema = { name: 'decision', schema: answerSchema };
    const told = [{ role: 'system', content: system }, ...messages.map(asChat)];
    const body = { model: 'small', messages: told, response_format: { type: 'json_schema', json_schema } };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(url, { method: 'POST', signal, headers, body: JSON.stringify(body) });
    const again = response.status === 429 || response.status >= 500;
    if (!response.ok) throw new SkillsError(again ? 'NETWORK_ERROR' : 'USAGE', `The model: HTTP ${response.status}.`);
    return (await response.json()) as Completion;
  };
  return {
    name: 'mine:small',
    contextTokens: 32_000,
    async decide(request, { signal, onText }) {
      const asked = untilAborted(async () => ask(request, signal), signal, 'The call of the model');
      const { choices, usage } = await asked.catch((cause: unknown) => {
        if (SkillsError.is(cause)) throw cause;
        throw new SkillsError('NETWORK_ERROR', 'The model cannot be reached.', { cause });
      });
      const text = choices[0]?.message.content ?? '';
      onText?.(text);
      checkAborted(signal, 'The call of the model');
      const finish = choices[0]?.finish_reason === 'length' ? 'length' : 'stop';
      return { text, finish, usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } };
    },
  };
}

/** What was observed is told as by the user: only a provider that called a tool itself wants a message of a tool. */
function asChat({ role, content }: ModelMessage) {
  return { role: role === 'assistant' ? 'assistant' : 'user', content };
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}
