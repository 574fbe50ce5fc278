import { piecesOf, type Said, type SaidPart } from './said.js';

type Json = Readonly<Record<string, unknown>>;

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'small' };

/** The events of a stream of chat completions. */
export function chatEvents(said: Said): readonly string[] {
  const calls = said.parts.filter((part) => part.kind === 'call');
  const deltas = said.parts.flatMap((part) => deltasOf(part, said, Math.max(0, calls.indexOf(part as never))));
  const chunks: readonly Json[] = [
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: finishOf(said) }] },
    ...(said.usage === null
      ? []
      : [{ ...head, object: 'chat.completion.chunk', choices: [], usage: said.usage ?? usage }]),
  ];
  return [...chunks.map((value) => JSON.stringify(value)), '[DONE]'];
}

function chunk(delta: Json): Json {
  return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] };
}

function deltasOf(part: SaidPart, said: Said, index: number): readonly Json[] {
  switch (part.kind) {
    case 'text':
      return piecesOf(part.text, said).map((content) => ({ content }));
    case 'reasoning':
      return piecesOf(part.text, said).map((text) => ({ reasoning_content: text }));
    case 'refusal':
      return piecesOf(part.text, said).map((refusal) => ({ refusal }));
    case 'call': {
      const begin = { index, id: `call_${index}`, type: 'function', function: { name: part.name, arguments: '' } };
      const pieces = piecesOf(part.input, said).map((text) => ({ index, function: { arguments: text } }));
      return [begin, ...pieces].map((call) => ({ tool_calls: [call] }));
    }
  }
}

function finishOf({ finish, parts }: Said): string | null {
  if (finish !== undefined) return finish;
  return parts.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop';
}

/** The body of an answer without a stream. */
export function chatBody(said: Said): string {
  const textOf = (wanted: SaidPart['kind']): string | null =>
    said.parts.reduce<string | null>(
      (text, part) => (part.kind === wanted && part.kind !== 'call' ? (text ?? '') + part.text : text),
      null,
    );
  const calls = said.parts.filter((part) => part.kind === 'call');
  const message = {
    role: 'assistant',
    content: textOf('text'),
    refusal: textOf('refusal'),
    reasoning_content: textOf('reasoning'),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
  };
  const choices = [{ index: 0, message, finish_reason: finishOf(said) }];
  return JSON.stringify({ ...head, object: 'chat.completion', choices, usage: said.usage ?? usage });
}

function wholeCall({ name, input }: SaidPart & { readonly kind: 'call' }, index: number): Json {
  return { id: `call_${index}`, type: 'function', function: { name, arguments: input } };
}
