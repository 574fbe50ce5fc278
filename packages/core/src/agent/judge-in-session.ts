import { quoted } from '../errors/quoted.js';
import { judgeToolUse, type Judgement } from '../policy/judge-tool-use.js';
import type { Permissions } from '../policy/permissions.js';
import type { ToolUse } from '../policy/tool-use.js';
import type { Activation } from './activation.js';
import type { SkillView } from '../registry/skill-view.js';
import { policySkill } from './judge-use.js';
import { unlockedTools, type NamedTool, type SessionTools } from './unlocked-tools.js';

/** What a loop is about to do. */
export interface SessionUse extends Omit<ToolUse, 'onBehalfOf'> {
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
  const isDisabled = (name: string): boolean => view.isDisabled(name);
  const { skill: location, ...rest } = use;
  const script = use.action === 'run_script';
  const behalf = script ? activations.find((line) => line.location === location) : broughtBy(use.tool, skills);
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
  return judgeToolUse({ ...rest, onBehalfOf: behalf && policySkill(behalf) }, { permissions, skills: declared });
}

/** The skill that brought a tool; `undefined` for one that was there from the beginning. */
function broughtBy<Item extends NamedTool>(
  name: string,
  { activations, tools, ports: { skillTools, groupedTools } }: SessionSkills<Item>,
): Activation | undefined {
  const offered = unlockedTools({ tools, skillTools, groupedTools }, activations);
  return offered.find(({ tool }) => tool.name === name)?.activation;
}
