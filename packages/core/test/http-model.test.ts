import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { runAgent } from '../src/agent/run-agent.js';
import { modelAdapterContract } from '../src/testing/model-adapter-contract.js';
import { agentWorld, echoTool, named } from './agent/agent-world.js';
import { httpModel } from './http-model.js';

/** What a server answers a request with: its status, or a text that is the model's. */
type Reply = (body: string) => string | number;

async function serve(reply: Reply): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const content = reply(body);
      const usage = { prompt_tokens: 10, completion_tokens: 5 };
      if (typeof content === 'number') response.writeHead(content).end();
      else response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // Cast: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

modelAdapterContract(
  async (reply) => {
    const server = await serve(reply);
    return { model: httpModel(server.url, 'token'), close: server.close };
  },
  { describe, test, expect },
  { title: 'http, of the page' },
);

test('the model of the page is told of the tools, calls one, reads what came of it, and is asked again while its server is busy', async () => {
  const told: string[] = [];
  const replies: (string | number)[] = [
    429,
    JSON.stringify({ action: { kind: 'call_tool', tool: 'shout', input: { text: 'hey' } } }),
    JSON.stringify({ action: { kind: 'final_answer', content: 'Done.' } }),
  ];
  const server = await serve((body) => {
    told.push(body);
    return replies.shift() ?? 400;
  });
  const { ports } = agentWorld([], { tools: [echoTool('shout')] });
  try {
    const ask = async () => runAgent('Shout.', { ...ports, model: httpModel(server.url, 'token') }, named());
    expect(await ask()).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    expect(told).toHaveLength(3);
    expect(told[1]).toContain(JSON.stringify('{"name":"shout","description":"Does shout."').slice(1, -1));
    expect(told[2]).toContain('shout was called');
    // What asking again does not mend ends the request.
    expect(await ask()).toMatchObject({ stop: 'model_failed', degraded: true });
    expect(told).toHaveLength(4);
  } finally {
    await server.close();
  }
});

test('the page shows the adapter that is held to the contract here', () => {
  const code = readFileSync(join(import.meta.dirname, 'http-model.ts'), 'utf8');
  const page = readFileSync(join(import.meta.dirname, '../../../docs/models.md'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
});
