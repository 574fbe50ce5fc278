import {
  couldBeUsed,
  namedTools,
  describeToolRule,
  quoted,
  SkillsError,
  type JudgedTool,
  type Permissions,
  type Tool,
} from '@skillpack/core';
import { docPages } from '../frame/doc-pages.js';
import { problemOf } from '../settings/check-rules.js';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import type { AgentFlags } from './agent-options.js';
import { approvedEntries } from './approval-entry.js';
import { splitList } from './split-list.js';

/** What the settings allow, and which tools there are. */
export interface PermissionParts {
  readonly settings: Pick<AgentSettings, 'permissions'>;
  /** All tools that could be offered. */
  readonly tools: readonly Tool[];
}

/**
 * What the tools of a run may be used for: what the settings say, and, after a yes, what `--allow` and `--approve` turn
 * on. What is on already stays as it is: neither makes anything stricter.
 *
 * @throws `USAGE` for a rule that cannot be read, or that names no tool; `TOOL_NOT_ALLOWED` for a tool that the settings
 * deny.
 */
export function agentPermissions(
  { allow, approve }: Pick<AgentFlags, 'allow' | 'approve'>,
  { settings, tools }: PermissionParts,
): Permissions {
  const known = [scripts, ...tools.map(judged)];
  const { configured, allowedTools } = settings.permissions;
  const rules = allow === undefined ? [] : splitList(allow).flatMap((rule) => turnedOn(rule, known));
  const named = approvedEntries(approve).flatMap((entry) => known.filter(({ tool }) => tool === entry.tool));
  const isOff = (tool: JudgedTool, more: readonly string[] = []): boolean => {
    const asked = [...(configured.ask ?? []), ...more];
    return !couldBeUsed(tool, { permissions: { configured: { ...configured, ask: asked } }, skills: [] });
  };
  const more = [...rules, ...named.map((tool) => ({ rule: tool.tool, tool }))]
    .filter(({ tool }) => tool === undefined || isOff(tool))
    .map(({ rule, tool }) => {
      if (tool !== undefined && isOff(tool, [rule])) throw denied(rule);
      return rule;
    });
  const ask = [...new Set([...(configured.ask ?? []), ...more])];
  return { configured: { ...configured, ask }, allowedTools };
}

const scripts: JudgedTool = { action: 'run_script', tool: 'run_script', risk: 'medium' };

/** A tool as it is judged before its input is known. */
export function judged({ name, risk }: Tool): JudgedTool {
  return { action: 'call_tool', tool: name, risk };
}

interface TurnedOn {
  readonly rule: string;
  /** The tool that the rule means every use of. @default some uses alone */
  readonly tool?: JudgedTool | undefined;
}

/** A rule as it stands, or the tools that it means: what it means of those that are on already is left as it is. */
function turnedOn(text: string, known: readonly JudgedTool[]): readonly TurnedOn[] {
  const rule = describeToolRule(text);
  const names = namedTools(
    text,
    known.map(({ tool }) => tool),
  );
  const found = known.filter(
    ({ tool, risk }) => rule.kind === 'all' || (rule.kind === 'risk' && rule.risk === risk) || names.includes(tool),
  );
  const problem = rule.kind === 'unreadable' && problemOf(text, true);
  if (problem) {
    throw new SkillsError('USAGE', `--allow has a rule that ${problem.what}: ${quoted(text)}.`, {
      hint: `${problem.help} ${docPages.permissions} describes every rule.`,
      data: { value: text },
    });
  }
  if (found.length === 0) {
    throw new SkillsError('USAGE', `--allow names ${quoted(text)}, and there is no such tool.`, {
      hint: `There is ${known.map(({ tool }) => tool).join(', ')}.`,
      data: { value: text, tools: known.map(({ tool }) => tool) },
    });
  }
  if (rule.kind === 'tool' && rule.uses === 'some') return [{ rule: text }];
  return found.map((tool) => ({ rule: tool.tool, tool }));
}

function denied(tool: string): SkillsError {
  return new SkillsError('TOOL_NOT_ALLOWED', `The settings deny ${quoted(tool)}, whatever else is said of it.`, {
    hint: 'It stands in `permissions.deny` of a config.json: of your own, or of .agents of the project.',
    data: { tool },
  });
}
