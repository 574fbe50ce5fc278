import type { SkillRegistry, Tool } from '@skillpack/core';
import type { LanguageModel, Tool as ToolOfAi } from 'ai';
import { generateText, ToolLoopAgent } from 'ai';
import type { SkillPorts } from '../session/skill-ports.js';
import { skillAgentSettings } from './skill-agent-settings.js';
import { skillTools } from './skill-tools.js';

declare const registry: SkillRegistry;
declare const ports: SkillPorts;
declare const model: LanguageModel;
declare const ours: Tool;
declare const weather: ToolOfAi<{ city: string }, string>;

/** The agent's own tools of the AI SDK keep their types; ours, and those of skills, are dynamic tools. */
export async function proof(): Promise<readonly string[]> {
  const skills = skillTools(registry, { ...ports, tools: { weather, ours }, groupedTools: { pdf: [ours] } });
  const names: readonly 'weather'[] = Object.keys(skills.tools) as (keyof typeof skills.tools)[];
  const { toolCalls } = await generateText({ model, prompt: '', ...skills });
  return [
    ...names,
    ...toolCalls.flatMap((call) => (call.dynamic === true || call.toolName !== 'weather' ? [] : [call.input.city])),
  ];
}

/** Each call of an agent that serves many conversations says which one it belongs to. */
export async function callProof(): Promise<string> {
  const agent = new ToolLoopAgent({ model, ...skillAgentSettings(registry, { ...ports, tools: [ours] }) });
  // @ts-expect-error -- No call without its conversation.
  await agent.generate({ prompt: '' });
  return (await agent.generate({ prompt: '', options: { conversation: 'one' } })).text;
}
