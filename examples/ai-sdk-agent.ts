/*
 * Skills in an agent of the AI SDK: its model, its loop and its way of asking for a yes; from here come the catalogue,
 * the tools that read skills, and the rules for what a skill brings. `node examples/ai-sdk-agent.ts`, with Node 22.19
 * or newer, after `npx -y pnpm@12 build`.
 *
 * The model is the mock of the AI SDK. A real one is one line: `anthropic('claude-…')` of `@ai-sdk/anthropic`.
 */
import { createSkillRegistry, defineTool, memorySkills } from '@skillpack/core';
import { skillTools } from '@skillpack/frameworks/ai-sdk';
import { sha256, systemClock as clock } from '@skillpack/runs-fs';
import { ToolLoopAgent, type ModelMessage, type ToolApprovalResponse } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod/mini';

const plants = '---\nname: house-plants\ndescription: How much water plants want.\n---\nA fern wants 200 ml.\n';
const registry = createSkillRegistry(memorySkills({ 'house-plants/SKILL.md': plants }), { sha256 });
const water = defineTool(
  {
    name: 'water',
    description: 'Waters a plant.',
    input: z.object({ plant: z.string(), millilitres: z.number() }),
    risk: 'medium',
    run: ({ plant, millilitres }) => ({ content: `The ${plant} was given ${millilitres} ml.` }),
  },
  { clock },
);

const model = new MockLanguageModelV4({
  doGenerate: [
    call('read_skill', { skill_name: 'house-plants' }),
    call('water', { plant: 'fern', millilitres: 200 }),
    { ...ending('stop'), content: [{ type: 'text', text: 'The fern had its water.' }] },
  ],
});

// The tool `water` is offered once the skill was read.
const skills = skillTools(registry, { sha256, clock, groupedTools: { 'house-plants': [water] } });
const agent = new ToolLoopAgent({ model, instructions: 'You care for plants.', ...skills });

const messages: ModelMessage[] = [{ role: 'user', content: 'The fern looks thirsty.' }];
for (;;) {
  const { content, responseMessages, text } = await agent.generate({ messages });
  messages.push(...responseMessages);
  const answers: ToolApprovalResponse[] = [];
  for (const part of content) {
    if (part.type !== 'tool-approval-request') continue;
    console.log(`${part.toolCall.toolName} ${JSON.stringify(part.toolCall.input)}: ${part.reason?.split(',')[0]}`);
    answers.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }); // Ask a person here.
  }
  if (answers.length === 0) {
    console.log(text);
    break;
  }
  messages.push({ role: 'tool', content: answers });
}
console.log(`offered: ${model.doGenerateCalls.map(({ tools = [] }) => tools.length).join(', ')} tools`);

function call(toolName: string, input: object) {
  const toolCallId = `call-of-${toolName}`;
  const content = [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) } as const];
  return { ...ending('tool-calls'), content };
}

function ending(unified: 'stop' | 'tool-calls') {
  const inputTokens = { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 10, text: 10, reasoning: 0 } };
  return { finishReason: { unified, raw: unified }, usage, warnings: [] };
}
