import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { isBody, type ProviderCall } from './provider-call.js';
import { outputOf, type ProviderOutput } from './provider-output.js';

/** What a server does with a request that is as the protocol wants it. */
export type Answer = (call: ProviderCall, out: ProviderOutput) => void | Promise<void>;

/** What is wrong with a request, by its protocol. */
export type CheckCall = (call: ProviderCall) => readonly string[];

export interface Provider {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly calls: readonly ProviderCall[];
  /** @throws for each request that was not as the protocol wants it, and for what an answer threw. */
  close(): Promise<void>;
}

/** A server of a provider, that holds each request against its protocol. */
export async function startProvider(check: CheckCall, answer: Answer): Promise<Provider> {
  const calls: ProviderCall[] = [];
  const problems: string[] = [];
  const server = createServer((request, response) => {
    const out = outputOf(response);
    const work = async (): Promise<void> => {
      const text = await textOf(request);
      const { method = '', url: path = '', headers } = request;
      const call = { method, path, headers, text, body: bodyOf(text), closed: out.closed };
      calls.push(call);
      const wrong = check(call);
      problems.push(...wrong.map((problem) => `${path}: ${problem}`));
      if (wrong.length === 0) await answer(call, out);
      else response.writeHead(400).end(JSON.stringify({ error: { message: wrong.join(' '), type: 'malformed' } }));
    };
    work().catch((error: unknown) => {
      problems.push(`The answer failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // Cast: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    close: async () => {
      const closed = new Promise((resolve) => void server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

function bodyOf(text: string): ProviderCall['body'] {
  try {
    const body: unknown = JSON.parse(text);
    return isBody(body) ? body : {};
  } catch {
    return {};
  }
}
