import {
  chat,
  type Protocol,
  type Provider,
  type ProviderCall,
  type ProviderOutput,
  sayInForm,
  send,
  startProvider,
} from '../../../test/provider-server.js';

/** No key: a text that may stand nowhere but in a header. */
export const sentKey = 'sk-test-0123456789abcdefABCDEF';

/** What a model decides, turn after turn. */
export const greetingDecisions: readonly object[] = [
  { action: { kind: 'select_skills', skills: [{ name: 'greet' }], reason: 'It fits.' } },
  { action: { kind: 'final_answer', content: 'Hello, Ada. – 三ページ\nIn two lines.' } },
];

/** An answer of a server that refuses. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a call, as a server does. */
export async function refuse(out: ProviderOutput, { status, body, headers = {} }: Refusal): Promise<void> {
  out.head(status, { 'content-type': 'application/json', ...headers });
  await out.write(JSON.stringify(body));
  out.end();
}

/** A server of models that decides the same for every conversation: by how often it was asked, else as `answer` does. */
export async function startModelServer(
  protocol: Protocol = chat,
  answer: (call: ProviderCall, out: ProviderOutput, turn: number) => void | Promise<void> = async (call, out, turn) =>
    send(protocol, { call, out }, sayInForm(call, JSON.stringify(greetingDecisions[turn % greetingDecisions.length]))),
): Promise<Provider> {
  let asked = 0;
  return startProvider(protocol.check, async (call, out) => {
    asked += 1;
    await answer(call, out, asked - 1);
  });
}
