import { quoted } from '../errors/quoted.js';
import { judgeToolUse, type Judgement } from '../policy/judge-tool-use.js';
import type { Permissions } from '../policy/permissions.js';
import type { ToolUse } from '../policy/tool-use.js';
import type { Activation } from './activation.js';
import { policySkill } from './judge-use.js';

/** What a loop is about to do. */
export interface SessionUse extends Omit<ToolUse, 'onBehalfOf'> {
  /** Of a script: the location of its skill. Of a tool, the session knows which skill brought it. */
  readonly skill?: string | undefined;
}

/** The skills of a session, as far as it is judged by them. */
export interface SessionSkills {
  readonly activations: readonly Activation[];
  /** Lines of the ledger that were replaced by others. */
  readonly outdated: readonly Activation[];
  /** The skill that brought a tool; `undefined` for one that was there from the beginning. */
  readonly broughtBy: (tool: string) => Activation | undefined;
  readonly isDisabled: (name: string) => boolean;
}

/** Judges what a loop is about to do as a run of our own would. What a skill does that is not active is refused. */
export function judgeInSession(use: SessionUse, skills: SessionSkills, permissions: Permissions): Judgement {
  const { activations, outdated, broughtBy, isDisabled } = skills;
  const { skill: location, ...rest } = use;
  const script = use.action === 'run_script';
  const behalf = script ? activations.find((line) => line.location === location) : broughtBy(use.tool);
  if (script && (behalf === undefined || isDisabled(behalf.name))) {
    const message = `No skill ${quoted(location ?? '')} is active whose script that could be.`;
    return { kind: 'refuse', message, hint: 'Read the skill first.', by: 'skill' };
  }
  const declared = [
    ...activations.map((line) => policySkill(line, isDisabled(line.name))),
    ...outdated.map((line) => policySkill(line, true)),
  ];
  return judgeToolUse({ ...rest, onBehalfOf: behalf && policySkill(behalf) }, { permissions, skills: declared });
}
