import { chatBody, chatEvents } from './chat-wire.js';
import { checkChatCall } from './check-chat-call.js';
import { checkMessagesCall } from './check-messages-call.js';
import { type EventStyle, eventBytes } from './event-bytes.js';
import { messagesBody, messagesEvents } from './messages-wire.js';
import type { ProviderCall } from './provider-call.js';
import type { ProviderOutput } from './provider-output.js';
import type { Said } from './said.js';
import type { CheckCall } from './start-provider.js';

/** One of the two protocols of HTTP that models are reached by. */
export interface Protocol {
  readonly name: 'chat' | 'messages';
  readonly check: CheckCall;
  readonly events: (said: Said) => readonly string[];
  readonly body: (said: Said) => string;
}

export const chat: Protocol = { name: 'chat', check: checkChatCall, events: chatEvents, body: chatBody };

export const messages: Protocol = {
  name: 'messages',
  check: checkMessagesCall,
  events: messagesEvents,
  body: messagesBody,
};

/** How an answer is written down, and cut into chunks of the transfer. */
export interface Wire extends EventStyle {
  /** Byte offsets at which a new chunk begins, or each byte in one. @default one chunk */
  readonly cuts?: readonly number[] | 'everywhere' | undefined;
}

/** A request, and where its answer goes. */
export interface Asked {
  readonly call: ProviderCall;
  readonly out: ProviderOutput;
}

/** What is sent, and how. */
export interface Sent extends Said {
  readonly wire?: Wire | undefined;
}

/** Sends what a model says, as a stream where one was asked for. */
export async function send(protocol: Protocol, { call, out }: Asked, { wire = {}, ...said }: Sent): Promise<void> {
  if (call.body['stream'] !== true) {
    out.head(200, { 'content-type': 'application/json' });
    await out.write(protocol.body(said));
    out.end();
    return;
  }
  await sendBytes(out, eventBytes(protocol.events(said), wire), wire.cuts);
  out.end();
}

/** Sends the bytes of a stream, and leaves it open. */
export async function sendBytes(out: ProviderOutput, bytes: Uint8Array, cuts: Wire['cuts'] = []): Promise<void> {
  out.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const starts = cuts === 'everywhere' ? Array.from(bytes, (_, at) => at) : [0, ...cuts];
  for (const [at, start] of starts.entries()) {
    await out.write(bytes.subarray(start, starts[at + 1] ?? bytes.length));
  }
}
