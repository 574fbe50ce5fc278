import { quoted } from '../errors/quoted.js';
import { judgeToolUse, type Judgement } from '../policy/judge-tool-use.js';
import type { Permissions } from '../policy/permissions.js';
import type { ToolUse } from '../policy/tool-use.js';
import type { Activation } from './activation.js';
import type { SkillView } from '../registry/skill-view.js';
import { policySkill } from './judge-use.js';
import { withGrouped } from './with-grouped.js';
import { unlockedTools, type NamedTool, type OfferedTool, type SessionTools } from './unlocked-tools.js';

/** What a loop is about to do. Of one of our tools: `{ ...tool, action: 'call_tool', tool: tool.name, input }`. */
export interface SessionUse extends Omit<ToolUse, 'onBehalfOf' | 'runsCode' | 'confined'> {
  /** Whether it starts programs of somebody else's choosing. @default false */
  readonly runsCode?: boolean | undefined;
  /** Whether what it starts is confined. @default false */
  readonly confined?: boolean | undefined;
  /** Of a script: the location of its skill. Of a tool, the session knows which skill brought it. */
  readonly skill?: string | undefined;
}

/** The skills of a session, as far as it is judged by them. */
export interface SessionSkills<Item extends NamedTool> {
  readonly activations: readonly Activation[];
  /** Lines of the ledger that were replaced by others. */
  readonly outdated: readonly Activation[];
  /** Those that were there from the beginning. */
  readonly tools: readonly Item[];
  /** Those by which a model reads skills. */
  readonly reading: readonly Item[];
  /** Those that skills bring. */
  readonly ports: SessionTools<Item>;
  readonly view: Pick<SkillView, 'isDisabled'>;
}

/** Judges what a loop is about to do as a run of our own would. What a skill does that is not active is refused. */
export function judgeInSession<Item extends NamedTool>(
  use: SessionUse,
  skills: SessionSkills<Item>,
  permissions: Permissions,
): Judgement {
  const { activations, outdated, view } = skills;
  const isNamed = ({ name }: Item): boolean => name === use.tool;
  if (use.action === 'call_tool' && skills.reading.some(isNamed) && !skills.tools.some(isNamed))
    return { kind: 'allow' };
  const isDisabled = (name: string): boolean => view.isDisabled(name);
  const { skill: location, runsCode = false, confined = false, ...rest } = use;
  const script = use.action === 'run_script';
  const offered = script ? undefined : offeredTool(use.tool, skills);
  const behalf = script ? activations.find((line) => line.location === location) : offered?.activation;
  if (script && (behalf === undefined || isDisabled(behalf.name))) {
    const message = `No skill ${quoted(location ?? '')} is active whose script that could be.`;
    return { kind: 'refuse', message, hint: 'Read the skill first.', by: 'skill' };
  }
  if (behalf !== undefined && isDisabled(behalf.name)) {
    const message = `The skill ${quoted(behalf.name)} that brought the tool ${quoted(use.tool, 64)} is switched off.`;
    return { kind: 'refuse', message, hint: 'Do without it.', by: 'skill' };
  }
  const declared = [
    ...activations.map((line) => policySkill(line, isDisabled(line.name))),
    ...outdated.map((line) => policySkill(line, true)),
  ];
  const { groupedTools } = skills.ports;
  const own = behalf && policySkill(behalf);
  const onBehalfOf = own && offered ? withGrouped(own, offered.tool, { groupedTools, permissions }) : own;
  return judgeToolUse({ ...rest, runsCode, confined, onBehalfOf }, { permissions, skills: declared });
}

/** A tool, and the skill that brought it. */
function offeredTool<Item extends NamedTool>(
  name: string,
  { activations, tools, ports: { skillTools, groupedTools } }: SessionSkills<Item>,
): OfferedTool<Item> | undefined {
  return unlockedTools({ tools, skillTools, groupedTools }, activations).find(({ tool }) => tool.name === name);
}
