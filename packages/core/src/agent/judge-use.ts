import { couldBeUsed } from '../policy/could-be-used.js';
import { judgeToolUse, type Judgement, type JudgingSkill } from '../policy/judge-tool-use.js';
import type { JudgedTool, PolicySkill, ToolUse } from '../policy/tool-use.js';
import type { Tool } from '../tool/tool.js';
import type { Activation } from './activation.js';
import type { RunScope } from './run-scope.js';
import { withGrouped } from './with-grouped.js';

/** The skills by which a run judges. */
type Judging = Pick<RunScope, 'settings' | 'above' | 'bodies' | 'ports' | 'state'>;

/** What may be done without a question, and who says so; or what {@link judgeToolUse} says of anything else. */
export type UseJudgement =
  | { readonly kind: 'allow'; readonly by: 'configuration' | 'skill'; readonly skill?: JudgingSkill | undefined }
  | Exclude<Judgement, { kind: 'allow' }>;

/** Judges what is about to be done in a run: everything but the reading of skills. */
export function judgeUse(use: ToolUse, scope: Judging): UseJudgement {
  const permissions = scope.settings.permissions ?? {};
  const behind = [...scope.above, ...delegatedSkills(scope)];
  const judgement = judgeToolUse(use, { permissions, skills: concerned(use, scope), behind });
  if (judgement.kind !== 'allow') return judgement;
  return { ...judgement, by: judgement.skill === undefined ? 'configuration' : 'skill' };
}

/** Whether a model need be offered a tool at all: some use of it could be allowed, or allowed after a yes. */
export function isUsable(tool: JudgedTool, scope: Judging): boolean {
  const permissions = scope.settings.permissions ?? {};
  const skills = policySkills(scope);
  if (!couldBeUsed(tool, { permissions, skills })) return false;
  if (tool.onBehalfOf !== undefined || scope.above.length === 0) return true;
  const own = { permissions: onlyLists, skills: [] };
  const listed = skills.some(
    (skill) => skill.allowedTools !== undefined && couldBeUsed({ ...tool, onBehalfOf: skill }, own),
  );
  return listed || couldBeUsed(tool, { permissions, skills: scope.above });
}

/**
 * The skills whose declarations a use is judged by. What a child run's own skill does not list is subject to those of the
 * runs above, too: the texts there have a say in what the child is asked to do.
 */
function concerned(use: ToolUse, scope: Judging): readonly PolicySkill[] {
  const own = policySkills(scope);
  const listed = own.some(
    (skill) =>
      skill.allowedTools !== undefined &&
      judgeToolUse({ ...use, onBehalfOf: skill }, { permissions: onlyLists, skills: [] }).kind !== 'refuse',
  );
  return listed ? own : [...own, ...scope.above];
}

/** By which nothing but a skill's own list refuses. */
const onlyLists = { configured: { allow: ['*'], ask: [] }, allowedTools: 'restrict' } as const;

/**
 * The skills of the ledger whose text stands in the conversation of a run, in the form that they had when they were read,
 * too. One that is switched off, or that this process has not read, takes away, and grants nothing.
 */
export function policySkills({ state, bodies }: Judging): readonly PolicySkill[] {
  const { activations, outdated = [], disabled } = state();
  const off = new Set(disabled.map(({ name }) => name.normalize('NFC')));
  const own = activations
    .filter(({ runMode }) => runMode === 'inline')
    .map((line) => policySkill(line, off.has(line.name.normalize('NFC')) || !bodies.has(line.location)));
  return [...own, ...outdated.map((line) => policySkill(line, true))];
}

/** The skills of child runs: what those answered stands in the conversation. */
function delegatedSkills({ state }: Judging): readonly PolicySkill[] {
  const lines = state().activations.filter(({ runMode }) => runMode === 'subagent');
  return lines.map((line) => policySkill(line, true));
}

/** A line of the ledger, as its declaration counts. */
export function policySkill({ name, location, pack, scope, allowedTools }: Activation, disabled = false): PolicySkill {
  return { name, location, pack, scope, allowedTools, disabled };
}

/** A tool that a run has, and the skill that unlocked it. */
export function judgedTool(tool: Tool, activation: Activation | undefined, scope: Judging): JudgedTool {
  const { name, risk } = tool;
  const { groupedTools } = scope.ports;
  const grouping = { groupedTools, permissions: scope.settings.permissions ?? {} };
  const skill = activation && withGrouped(policySkill(activation), tool, grouping);
  return { action: 'call_tool', tool: name, risk, onBehalfOf: skill };
}
