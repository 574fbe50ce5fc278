import { MemorySaver, Command } from '@langchain/langgraph';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool, ToolMessage, type HITLRequest } from 'langchain';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { skillMiddleware, type LangChainSkillPorts, type SharedSkillOptions } from '../../src/langchain.js';
import { makeRegistry, makeTool, ports, skillFiles } from '../known-skills.js';

const reading = ['read_skill', 'read_skill_file', 'search_skills', 'disable_skill', 'enable_skill'];

type Call = readonly [name: string, args: Record<string, unknown>];

/** The fake model of LangChain, with what it was offered at each call. */
function scripted(...answers: readonly (string | readonly Call[])[]) {
  const model = fakeModel();
  let turn = 0;
  for (const answer of answers) {
    turn += 1;
    if (typeof answer === 'string') model.respond(new AIMessage(answer));
    else model.respondWithTools(answer.map(([name, args]) => ({ name, args, id: `call-${turn}-${name}` })));
  }
  const offered: (readonly string[])[] = [];
  const bind = model.bindTools.bind(model);
  model.bindTools = (tools) => {
    offered.push(tools.map((one) => ('name' in one ? String(one.name) : '')));
    return bind(tools);
  };
  return { model, offered };
}

const search = tool(() => 'nothing', { name: 'search', description: 'Searches.', schema: z.object({}) });

function makeAgent(
  { model }: Pick<ReturnType<typeof scripted>, 'model'>,
  {
    risks = { search: 'low' },
    skills = {},
    registry = makeRegistry(),
    checkpointer = new MemorySaver(),
  }: {
    risks?: SharedSkillOptions['risks'];
    skills?: Partial<LangChainSkillPorts>;
    registry?: ReturnType<typeof makeRegistry>;
    checkpointer?: MemorySaver;
  } = {},
) {
  const middleware = [skillMiddleware(registry, { ...ports, ...skills }, { risks })];
  return createAgent({ model, tools: [search], systemPrompt: 'You help.', middleware, checkpointer });
}

const asked = (text: string) => ({ messages: [new HumanMessage(text)] });
const thread = (id: string) => ({ configurable: { thread_id: id } });

test('SAA-21, SAA-23: three calls of the model: no tool of a skill; those of the first after it was read; those of both, each once, in the order of activation', async () => {
  const extract = makeTool('extract_pdf');
  const readPage = tool(() => 'page', { name: 'read_page', description: 'Reads a page.', schema: z.object({}) });
  const { model, offered } = scripted(
    [['read_skill', { skill_name: 'pdf-extractor' }]],
    [['read_skill', { skill_name: 'data-processor' }]],
    'Done.',
  );
  const agent = makeAgent(
    { model },
    {
      skills: { skillTools: [makeTool('process_data'), readPage], groupedTools: { 'pdf-extractor': [extract] } },
    },
  );
  const { messages } = await agent.invoke(asked('Sum up.'), thread('1'));
  expect(messages.at(-1)?.text).toBe('Done.');
  expect(offered).toEqual([
    ['search', ...reading],
    ['search', ...reading, 'extract_pdf', 'read_page'],
    ['search', ...reading, 'extract_pdf', 'read_page', 'process_data'],
  ]);
  for (const call of model.calls) {
    const system = call.messages[0]?.text ?? '';
    expect(system).toMatch(/^You help\.\n\n## Available Skills\n/u);
    expect(system.match(/## Available Skills/gu)).toHaveLength(1);
  }
});
