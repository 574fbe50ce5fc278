import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import type { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { conversationKey, skillSettings, type MastraSkillPorts, type SharedSkillOptions } from '../../src/mastra.js';
import { offeredTools, scriptedModel, systemTexts } from '../ai-sdk/scripted-model.js';
import { makeRegistry, makeTool, ports } from '../known-skills.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

function makeAgent(
  model: MockLanguageModelV4,
  skills: Partial<MastraSkillPorts> = {},
  options: SharedSkillOptions = {},
  registry = makeRegistry(),
) {
  const agent = new Agent({
    id: 'helper',
    name: 'Helper',
    instructions: 'You help.',
    // Cast: to the types of Mastra, a model answers both calls with a stream; it takes those of the AI SDK as they are.
    model: model as unknown as AgentConfig['model'],
    ...skillSettings(registry, { ...ports, ...skills }, options),
  });
  // A store, since a question waits there for its answer.
  return new Mastra({ agents: { helper: agent }, storage: new InMemoryStore(), logger: false }).getAgent('helper');
}

test('SAA-21, SAA-23: three steps: no tool of a skill; those of the first after it was read; those of both, each once', async () => {
  const extract = makeTool('extract_pdf');
  const readPage = createTool({
    id: 'read_page',
    description: 'Reads a page.',
    inputSchema: z.object({}),
    execute: async () => 'page',
  });
  const model = scriptedModel([
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  ]);
  const agent = makeAgent(model, {
    tools: [makeTool('search')],
    skillTools: { process_data: makeTool('process_data'), read_page: readPage },
    groupedTools: { 'pdf-extractor': [extract] },
  });
  const { text } = await agent.generate('Sum up.');
  expect(text).toBe('Done.');
  expect(offeredTools(model).map((names) => [...names].sort())).toEqual([
    ['search', ...reading].sort(),
    ['search', ...reading, 'extract_pdf', 'read_page'].sort(),
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'].sort(),
  ]);
  for (const system of systemTexts(model)) {
    expect(system).toMatch(/^You help\.\n---\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
});
