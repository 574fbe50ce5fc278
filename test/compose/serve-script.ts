import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Decision } from '@skillpack/core';
import { onTestFinished } from 'vitest';

/** A server like those that people run models on, and what it was asked. */
export interface ScriptServer {
  /** What comes before `/chat/completions`. */
  readonly url: string;
  readonly asked: readonly { readonly model: string; readonly authorization: string | undefined }[];
}

/**
 * Streams these decisions by the protocol of chat completions, one an answer, until the present test ends. Beside them it
 * serves files, by their paths.
 */
export async function serveScript(
  decisions: readonly Decision[],
  files: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {},
): Promise<ScriptServer> {
  const asked: { model: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const file = files[request.url ?? ''];
      if (file !== undefined) return void response.writeHead(200, { 'content-type': file.type }).end(file.body);
      if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
      // Cast: what an adapter of ours sends.
      const { model } = JSON.parse(await text(request)) as { model: string };
      const content = JSON.stringify(decisions[asked.length]);
      asked.push({ model, authorization: request.headers.authorization });
      const head = { id: 'one', object: 'chat.completion.chunk', created: 0, model };
      const pieces = [
        { ...head, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...head, choices: [], usage: { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 } },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) response.write(`data: ${JSON.stringify(piece)}\n\n`);
      response.end('data: [DONE]\n\n');
    })();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Cast: a server on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, asked };
}
