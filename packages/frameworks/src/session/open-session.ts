import {
  createSkillSession,
  createSkillTools,
  type SkillIndex,
  type SkillRegistry,
  type SkillSession,
  type Tool,
} from '@skillpack/core';
import { checkNames, offeredTools, type OfferedTool, type ToolsByName } from './offered-tool.js';
import type { SkillOptions, SkillPorts } from './skill-ports.js';
import { createToolGate, type ToolGate } from './tool-gate.js';

/** The tools of an agent, and those that skills bring. */
export interface SessionToolPorts<Theirs> extends SkillPorts {
  /** Those that are there from the beginning. @default none */
  readonly tools?: ToolsByName<Theirs> | undefined;
  /** The same, where they are known only when a model is called. @default `tools` */
  readonly ownTools?: (() => readonly OfferedTool<Theirs>[]) | undefined;
  /** As the gate has it. @default true */
  readonly bindInput?: boolean | undefined;
  /** Those that are offered once a skill was read whose `allowed-tools` name them. @default none */
  readonly skillTools?: ToolsByName<Theirs> | undefined;
  /** Those that are offered once the skill was read that they are listed under. @default none */
  readonly groupedTools?: Readonly<Record<string, ToolsByName<Theirs>>> | undefined;
}

/** A session of one conversation, with all that a framework may have to carry out in it. */
export interface OpenedSession<Theirs> {
  readonly session: SkillSession<OfferedTool<Theirs>>;
  readonly gate: ToolGate;
  /** The tools by which a model reads skills. */
  readonly reading: readonly Tool[];
  /** The tools that are there from the beginning. */
  readonly own: readonly OfferedTool<Theirs>[];
  /** Those that skills bring, each once. */
  readonly brought: readonly OfferedTool<Theirs>[];
}

/**
 * Opens a session over a registry for an agent of another framework.
 *
 * @throws `USAGE` where two tools have one name, and what `createSkillSession` throws.
 */
export function openSession<Theirs extends object>(
  registry: SkillRegistry,
  ports: SessionToolPorts<Theirs>,
  { preset = 'registry', risks, ...options }: SkillOptions,
): OpenedSession<Theirs> {
  const { sha256, clock, countTokens, debug } = ports;
  const own = offeredTools(ports.tools, { risks });
  const skillTools = offeredTools(ports.skillTools, { risks });
  const groups = Object.entries(ports.groupedTools ?? {});
  const groupedTools = Object.fromEntries(groups.map(([skill, tools]) => [skill, offeredTools(tools, { risks })]));
  const brought = [...Object.values(groupedTools).flat(), ...skillTools];
  const session = createSkillSession<OfferedTool<Theirs>>(
    registry,
    { sha256, countTokens, debug, skillTools, groupedTools },
    {
      ...options,
      readingTools: (self: SkillSession<OfferedTool<Theirs>>, { skills }: SkillIndex) =>
        offeredTools(createSkillTools(self, { clock }, { preset, skills }), {}),
    },
  );
  const reading = createSkillTools(session, { clock }, { preset });
  // A tool of the agent may have the name of one that reads skills, and is offered instead of it.
  checkNames([...own, ...brought]);
  checkNames([...brought, ...offeredTools(reading, {})]);
  return {
    session,
    gate: createToolGate(session, {
      tools: ports.ownTools ?? (() => own),
      skillTools,
      groupedTools,
      sha256,
      bindInput: ports.bindInput,
    }),
    reading,
    own,
    brought,
  };
}
