import type { SkillRegistry, SkillSession, Tool } from '@skillpack/core';
import type { Instructions, PrepareStepFunction, ToolSet } from 'ai';
import type { OfferedTool } from '../session/offered-tool.js';
import { openSession, type OpenedSession } from '../session/open-session.js';
import type { SkillOptions, SkillPorts } from '../session/skill-ports.js';
import type { AiTool, AiTools, AiToolSet } from './ai-tool.js';
import { askForApproval, type AiApproval } from './ask-for-approval.js';
import { guardAiTool } from './guard-ai-tool.js';
import { toAiTool } from './to-ai-tool.js';

/** What skills take from their surroundings, and the tools of the agent. */
export interface AiSkillPorts<Own extends AiTools = AiTools> extends SkillPorts {
  /**
   * Those of the agent itself, there from the beginning. Hand them in here, not beside: no step offers a tool that is not
   * known here.
   *
   * @default none
   */
  readonly tools?: Own | undefined;
  /** Those that are offered once a skill was read whose `allowed-tools` name them. @default none */
  readonly skillTools?: AiTools | undefined;
  /** Those that are offered once the skill was read that they are listed under. @default none */
  readonly groupedTools?: Readonly<Record<string, AiTools>> | undefined;
}

/** What goes into `generateText`, `streamText` or a `ToolLoopAgent`, by `...`. */
export interface AiSkills<Tools extends ToolSet = ToolSet> {
  /** The agent's own tools, those that read skills, and those that skills bring, which no step offers before their time. */
  readonly tools: Tools;
  /** Before each step: the catalogue at the end of the instructions, and which tools are offered. */
  readonly prepareStep: PrepareStepFunction<Tools>;
  /** Asks for a yes where the permissions or a skill need one, and refuses what they refuse. By the name of the tool. */
  readonly toolApproval: Readonly<Record<string, AiApproval>>;
  /** The skills of this conversation: the ledger, what is switched off, and `call` for a person who names a skill. */
  readonly session: SkillSession;
}

/**
 * Skills for one conversation with a model of the AI SDK. What was read, what that unlocked and what was asked belongs to
 * this conversation: keep the object for as long as it lasts, and make another one for another conversation. For an agent
 * that serves many, there is `skillAgentSettings`.
 *
 * @throws `USAGE` where two tools have one name, and what `createSkillSession` throws.
 * @example
 * ```ts
 * const skills = skillTools(registry, { sha256, clock, groupedTools: { pdf: { extractPdf } } });
 * const { text } = await generateText({ model, prompt, stopWhen: isStepCount(20), ...skills });
 * ```
 */
export function skillTools<const Own extends AiTools = readonly []>(
  registry: SkillRegistry,
  ports: AiSkillPorts<Own>,
  options: SkillOptions = {},
): AiSkills<AiToolSet<Own>> {
  const opened = openSession<AiTool>(registry, ports, options);
  const { session, gate, own, brought } = opened;
  const gated = [...own, ...brought];
  const reading = new Map(opened.reading.map((tool) => [tool.name, tool]));
  const made = (offered: OfferedTool<AiTool>): AiTool =>
    offered.kind === 'ours'
      ? toAiTool(offered.name, offered.tool, { gate })
      : guardAiTool(offered.name, offered.tool, gate);
  const tools: ToolSet = Object.fromEntries([
    ...brought.map((offered) => [offered.name, made(offered)] as const),
    ...opened.reading.map(
      (tool) => [tool.name, toAiTool(tool.name, tool, { current: () => reading.get(tool.name) ?? tool })] as const,
    ),
    ...own.map((offered) => [offered.name, made(offered)] as const),
  ]);
  const prepareStep = prepareStepOf(opened, reading);
  const toolApproval = Object.fromEntries(gated.map((offered) => [offered.name, askForApproval(offered, gate)]));
  // Cast: of the tools that are there, the types tell the agent's own; others are dynamic tools, which types need not know.
  return { tools, prepareStep, toolApproval, session } as AiSkills as unknown as AiSkills<AiToolSet<Own>>;
}

/** @param reading the tools that read skills, by name: noted as they are offered now. */
function prepareStepOf(
  { session, own }: OpenedSession<AiTool>,
  reading: Map<string, Tool>,
): PrepareStepFunction<ToolSet> {
  return async ({ messages, instructions, initialInstructions }) => {
    const { system, tools } = await session.prepare({ system: '', tools: own, messages });
    for (const offered of tools) {
      if (offered.kind === 'ours' && reading.has(offered.name)) reading.set(offered.name, offered.tool);
    }
    const names = tools.map(({ name }) => name);
    // What one step was told, the AI SDK tells the next one as well: so each begins with what the call began with.
    const told = system === '' ? (initialInstructions ?? '') : withSection(initialInstructions, system);
    const same = system === '' && instructions === initialInstructions;
    return { activeTools: names, toolOrder: names, ...(same ? {} : { instructions: told }) };
  };
}

/** Instructions that are messages keep what providers are told of them, such as what to cache. */
function withSection(instructions: Instructions | undefined, section: string): Instructions {
  if (instructions === undefined || instructions === '') return section;
  if (typeof instructions === 'string') return `${instructions}\n\n${section}`;
  return [...(Array.isArray(instructions) ? instructions : [instructions]), { role: 'system', content: section }];
}
