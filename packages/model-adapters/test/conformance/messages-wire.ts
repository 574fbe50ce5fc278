import { piecesOf, type Said, type SaidPart } from './said.js';

type Json = Readonly<Record<string, unknown>>;

const usage = { input_tokens: 10, output_tokens: 5 };

/** The events of a stream of messages. */
export function messagesEvents(said: Said): readonly string[] {
  const told = said.usage === null ? usage : (said.usage ?? usage);
  const message = { ...shellOf([], null), usage: { ...(told as Json), output_tokens: 1 } };
  const events: readonly Json[] = [
    { type: 'message_start', message },
    { type: 'ping' },
    ...said.parts.flatMap((part, index) => blockEvents(part, said, index)),
    { type: 'message_delta', delta: { stop_reason: finishOf(said), stop_sequence: null }, usage: told },
    { type: 'message_stop' },
  ];
  return events.map((event) => JSON.stringify(event));
}

function blockEvents(part: SaidPart, said: Said, index: number): readonly Json[] {
  const block = part.kind === 'call' ? { ...blockOf(part, index), input: {} } : emptyBlock(part);
  const whole = part.kind === 'call' ? part.input : part.text;
  const deltas = piecesOf(whole, said).map((piece) => ({
    type: 'content_block_delta',
    index,
    delta: deltaOf(part, piece),
  }));
  const signature = { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'c2ln' } };
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas,
    ...(part.kind === 'reasoning' ? [signature] : []),
    { type: 'content_block_stop', index },
  ];
}

function emptyBlock({ kind }: SaidPart): Json {
  return kind === 'reasoning' ? { type: 'thinking', thinking: '', signature: '' } : { type: 'text', text: '' };
}

function deltaOf({ kind }: SaidPart, piece: string): Json {
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: piece };
  return kind === 'call' ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
}

function blockOf(part: SaidPart, index: number): Json {
  if (part.kind === 'call') {
    return { type: 'tool_use', id: `toolu_${index}`, name: part.name, input: objectOf(part.input) };
  }
  return part.kind === 'reasoning'
    ? { type: 'thinking', thinking: part.text, signature: 'c2ln' }
    : { type: 'text', text: part.text };
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function finishOf({ finish, parts }: Said): string | null {
  if (finish !== undefined) return finish;
  if (parts.some(({ kind }) => kind === 'refusal')) return 'refusal';
  return parts.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn';
}

function shellOf(content: readonly Json[], stop: string | null): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'small',
    content,
    stop_reason: stop,
    stop_sequence: null,
  };
}

/** The body of an answer without a stream. */
export function messagesBody(said: Said): string {
  const content = said.parts.map((part, index) => blockOf(part, index));
  return JSON.stringify({ ...shellOf(content, finishOf(said)), usage: said.usage ?? usage });
}
