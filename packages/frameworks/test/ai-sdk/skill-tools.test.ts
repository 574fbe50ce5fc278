import { generateText, isStepCount, ToolLoopAgent } from 'ai';
import { expect, test } from 'vitest';
import { skillTools } from '../../src/ai-sdk.js';
import { makeRegistry, makeTool, ports } from '../known-skills.js';
import { offeredTools, scriptedModel, systemTexts } from './scripted-model.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

test('SAA-21, SAA-23: three steps: no tool of a skill; those of the first after it was read; those of both, each once, in the order of activation', async () => {
  const extract = makeTool('extract_pdf');
  const model = scriptedModel([
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  ]);
  const skills = skillTools(makeRegistry(), {
    ...ports,
    tools: [makeTool('search')],
    skillTools: [makeTool('process_data'), makeTool('read_page'), extract],
    groupedTools: { 'pdf-extractor': [extract] },
  });
  const { text } = await generateText({
    model,
    prompt: 'Sum up.',
    system: 'You help.',
    stopWhen: isStepCount(9),
    ...skills,
  });
  expect(text).toBe('Done.');
  expect(offeredTools(model)).toEqual([
    ['search', ...reading],
    ['search', ...reading, 'extract_pdf', 'read_page'],
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'],
  ]);
  for (const system of systemTexts(model)) {
    expect(system).toMatch(/^You help\.\n\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
});

test('a ToolLoopAgent takes them as they are', async () => {
  const model = scriptedModel([[['read_skill', { skill_name: 'pdf-extractor' }]], 'Done.']);
  const agent = new ToolLoopAgent({ model, instructions: 'You help.', ...skillTools(makeRegistry(), ports) });
  const { text } = await agent.generate({ prompt: 'Which fields?' });
  expect(text).toBe('Done.');
});
