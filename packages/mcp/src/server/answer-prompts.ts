import { ProtocolError, ProtocolErrorCode, type McpServer, type Prompt } from '@modelcontextprotocol/server';
import { createSkillSession, visibleText, type SkillEntry } from '@skillpack/core';
import { pageOf } from './page-of.js';
import { ofProtocol } from './registry-source.js';
import type { ServedSkills } from './served-skills.js';
import type { SkillsServerPorts } from './skills-server-options.js';

/** Offers the skills that people may call as prompts, which clients show as commands: `/pdf report.pdf`. */
export function answerPrompts(mcp: McpServer, served: ServedSkills, { sha256 }: SkillsServerPorts): void {
  const { server } = mcp;
  server.registerCapabilities({ prompts: { listChanged: true } });
  server.setRequestHandler('prompts/list', async ({ params }, { mcpReq: { signal } }) =>
    ofProtocol(async () => {
      const { index } = await served.current({ signal });
      const offered = index.skills.filter(({ head }) => head.userInvocable);
      const { items, nextCursor } = pageOf(offered, ({ name }) => name, params?.cursor);
      return { prompts: items.map(describePrompt), ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq: { signal } }) =>
    ofProtocol(async () => {
      const { index } = await served.current({ signal });
      const entry = index.skills.find(({ name, head }) => name === params.name && head.userInvocable);
      if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such prompt.');
      const session = createSkillSession(served.registry, { sha256 });
      const text = await session.call(entry.name, params.arguments?.['arguments'] ?? '', { signal });
      return { ...describe(entry), messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
}

function describePrompt(entry: SkillEntry): Prompt {
  const hint = entry.head.frontMatter['argument-hint'];
  const description = typeof hint === 'string' ? visibleText(hint).slice(0, 200).toWellFormed() : undefined;
  const argument = { name: 'arguments', required: false, ...(description === undefined ? {} : { description }) };
  return { name: entry.name, ...describe(entry), arguments: [argument] };
}

function describe({ head }: SkillEntry): { readonly description?: string } {
  return head.description === undefined ? {} : { description: visibleText(head.description) };
}
