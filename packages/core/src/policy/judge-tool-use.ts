import { quoted } from '../errors/quoted.js';
import { whyNoPattern } from './command-surroundings.js';
import { allowedToolsMode, defaultAllowedToolsMode } from './allowed-tools-mode.js';
import { matchesToolRule } from './match-tool-rule.js';
import { levelByRules } from './level-by-rules.js';
import { rulesOf, type Permissions } from './permissions.js';
import { skillRulesOf } from './skill-rules.js';
import type { PolicySkill, ToolUse } from './tool-use.js';
import { usePartsOf, type UsePart } from './use-parts.js';

/** Whose rules a use is refused by. */
export type RefusedBy = 'configuration' | 'run' | 'skill';

/** Whether something may be done: without a question, after a yes, or not at all. */
export type Judgement =
  | {
      readonly kind: 'allow';
      /** The skill whose grant answers the question that would be asked. @default nobody would be asked */
      readonly skill?: JudgingSkill | undefined;
    }
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'refuse';
      /** What is refused, and whose rules do. Cleaned for a terminal. */
      readonly message: string;
      /** The next action. */
      readonly hint: string;
      readonly by: RefusedBy;
      /** The rule that denies it, as it is written. @default none does: no rule allows it, or asks about it */
      readonly rule?: string | undefined;
      /** The skill that does not list it. @default no skill refuses it */
      readonly skill?: JudgingSkill | undefined;
    };

/** A skill by whose `allowed-tools` something is judged. */
export interface JudgingSkill {
  readonly name: string;
  readonly location: string;
}

/** What a use is judged by. */
export interface JudgeContext {
  readonly permissions: Permissions;
  /** The skills whose text stands in the conversation: those that were activated, whatever became of them since. */
  readonly skills: readonly PolicySkill[];
  /**
   * Skills whose text may stand behind the use without being in this conversation, as those of the run that started this
   * one: they restrict nothing here, and no grant holds for what they may have asked for. @default []
   */
  readonly behind?: readonly PolicySkill[] | undefined;
}

/**
 * Judges a use of a tool, by the configuration, the policy of the run and the skills: what one of them refuses is refused.
 * A skill whose `allowed-tools` grant turns a question into a yes, never a refusal; never for what writes, deletes or
 * sends; for what runs code, only where that is confined; and never where the rule that asks says the name of the tool:
 * then a person has asked to be asked. A grant is not lent: where the text of a skill was read that others wrote, the
 * question is asked, since nobody knows whose text the model follows. What such a skill lists changes nothing of that:
 * its author wrote the list.
 */
export function judgeToolUse(use: ToolUse, { permissions, skills, behind = [] }: JudgeContext): Judgement {
  const parts = usePartsOf(use);
  const configured = levelByRules(rulesOf('configured', permissions), use, parts);
  if (configured.kind === 'refuse') return refusal(use, parts, { layer: 'configuration', ...configured });
  const run = levelByRules(rulesOf('run', permissions), use, parts);
  if (run.kind === 'refuse') return refusal(use, parts, { layer: 'run', ...run });
  const concerned = use.onBehalfOf === undefined ? skills : [use.onBehalfOf];
  const lists = (skill: PolicySkill): boolean => isListed(skill, use, parts);
  for (const skill of concerned) {
    if (skill.allowedTools === undefined || allowedToolsMode(skill, permissions) !== 'restrict') continue;
    if (!lists(skill)) return refusal(use, parts, skill);
  }
  if (configured.kind === 'allow' && run.kind === 'allow') return { kind: 'allow' };
  const askedByName = [configured, run].some((level) => level.kind === 'ask' && level.byName);
  const open =
    !askedByName &&
    use.risk !== 'high' &&
    (use.confined || !runsCode(use)) &&
    ![...skills, ...behind].some((skill) => isForeign(skill, permissions));
  const granting = concerned.find(
    (skill) => skill.disabled !== true && allowedToolsMode(skill, permissions) === 'grant' && lists(skill),
  );
  return open && granting !== undefined ? { kind: 'allow', skill: judgedBy(granting) } : { kind: 'ask' };
}

function judgedBy({ name, location }: PolicySkill): JudgingSkill {
  return { name, location };
}

/** Whether others wrote it, and nobody said that it may be trusted. */
function isForeign(skill: PolicySkill, permissions: Permissions): boolean {
  return allowedToolsMode(skill, permissions) !== 'grant' && defaultAllowedToolsMode(skill) === 'restrict';
}

function runsCode({ action, tool, risk, runsCode: says }: ToolUse): boolean {
  return action === 'run_script' || tool === 'run_command' || (says && risk !== 'low');
}

function isListed(skill: PolicySkill, use: ToolUse, parts: readonly UsePart[]): boolean {
  const rules = skillRulesOf(skill);
  return parts.every((part) =>
    rules.some((rule) => matchesToolRule(rule, { tool: use, part, certainty: 'surely', folder: skill.location })),
  );
}

/** What rules with patterns are not to blame for: else somebody looks for what is wrong with theirs. */
function reasonOf(parts: readonly UsePart[]): string {
  const unclear = parts.find((part) => part.kind === 'unclear');
  if (unclear !== undefined) return ` What it would do cannot be told for sure: ${unclear.reason}`;
  const why = parts.flatMap((part) => (part.kind === 'command' ? (whyNoPattern(part) ?? []) : []));
  return why[0] === undefined ? '' : ` ${why[0]}`;
}

type Refusing = { readonly layer: 'configuration' | 'run'; readonly rule: string | undefined } | PolicySkill;

function refusal(use: ToolUse, parts: readonly UsePart[], by: Refusing): Judgement {
  const what =
    use.script === undefined ? `this use of the tool ${quoted(use.tool, 64)}` : `the script ${quoted(use.script.path)}`;
  const reason = reasonOf(parts);
  const hint = 'Find another way within what is allowed, or say what could not be done.';
  if ('layer' in by) {
    const { layer, rule } = by;
    const whose = layer === 'run' ? 'The policy of this run' : 'The configuration';
    const why = rule === undefined ? 'No rule of it does.' : `It denies ${quoted(rule, 200)}.`;
    const message = `${whose} does not allow ${what}. ${why}${reason}`;
    return { kind: 'refuse', message, hint, by: layer, ...(rule !== undefined && { rule }) };
  }
  const listed = (by.allowedTools ?? []).slice(0, 20).map((tool) => quoted(tool, 100));
  const tools = listed.length === 0 ? 'It allows none.' : `It allows ${listed.join(', ')}.`;
  const message = `The allowed tools of the skill ${quoted(by.name, 64)} do not include ${what}. ${tools}${reason}`;
  return { kind: 'refuse', message, hint, by: 'skill', skill: judgedBy(by) };
}
