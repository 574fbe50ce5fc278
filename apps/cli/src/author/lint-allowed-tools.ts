import {
  judgeToolUse,
  quoted,
  skillDiagnostics,
  type LintedFile,
  type Skill,
  type SkillDiagnostic,
  type SkillDiagnosticCode,
  type SkillProfile,
} from '@skillpack/core';
import { problemOf } from '../settings/check-rules.js';

/** What the allowed tools of a skill are held against. */
export interface LintAllowedToolsOptions {
  readonly profile: SkillProfile;
  /** The bytes of its SKILL.md. */
  readonly source: Uint8Array;
  readonly files: readonly LintedFile[];
}

/** What of `allowed-tools` counts for nothing here, and which scripts it does not mean: where it restricts, these are refused. */
export function lintAllowedTools(
  { name, allowedTools }: Pick<Skill, 'name' | 'allowedTools'>,
  { profile, source, files }: LintAllowedToolsOptions,
): readonly SkillDiagnostic[] {
  if (allowedTools === undefined) return [];
  const line = lineOf(source);
  const find = (code: SkillDiagnosticCode, message: string, fix: string): SkillDiagnostic[] => {
    const severity = skillDiagnostics[code][profile];
    return severity === 'off' ? [] : [{ code, severity, message, line, column: undefined, fix }];
  };
  const rules = allowedTools.flatMap((rule) => {
    if (rule === '*' || rule.startsWith('risk:')) {
      const fix = 'A skill does not allow itself everything: name its tools.';
      return find('allowed-tools-unreadable', `The allowed tool ${quoted(rule)} counts for nothing in a skill.`, fix);
    }
    const problem = problemOf(rule, true);
    if (problem === undefined) return [];
    const unknown = problem.what === 'names no tool';
    const message = `The allowed tool ${quoted(rule)} ${unknown ? 'names no tool here, and counts for nothing' : 'cannot be read, and counts for nothing'}.`;
    return find(unknown ? 'allowed-tools-unknown' : 'allowed-tools-unreadable', message, problem.help);
  });
  const scripts = files
    .filter((file) => isScript(file) && !isMeant(file.path, { name, allowedTools }))
    .flatMap(({ path }) =>
      find(
        'script-not-allowed',
        `The allowed tools do not mean the script ${quoted(path)}: where they restrict, as of an installed pack, it is refused.`,
        `If the skill runs it, add ${quoted(`Bash(${path}:*)`)}.`,
      ),
    );
  return [...rules, ...scripts];
}

const script = /^scripts\/[^/]+\.(?:sh|bash|py|rb|pl|js|mjs|cjs|ts|mts|cts)$/u;

function isScript({ path, firstLine }: LintedFile): boolean {
  return script.test(path) || (path.startsWith('scripts/') && firstLine?.startsWith('#!') === true);
}

/** Whether it could be run, with some arguments. */
function isMeant(path: string, { name, allowedTools = [] }: Pick<Skill, 'name' | 'allowedTools'>): boolean {
  if (allowedTools.some((rule) => rule.includes(path) && problemOf(rule, true) === undefined)) return true;
  const location = `/${name}`;
  const skill = { name, location, pack: undefined, scope: 'other', allowedTools } as const;
  const args: readonly string[] = [];
  const use = {
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    input: { relative_path: path, args },
    runsCode: true,
    confined: true,
    onBehalfOf: skill,
    script: { path, folder: location, args },
  } as const;
  const permissions = { configured: { allow: ['*'] }, allowedTools: 'restrict' } as const;
  return judgeToolUse(use, { permissions, skills: [skill] }).kind !== 'refuse';
}

function lineOf(source: Uint8Array): number {
  const lines = new TextDecoder().decode(source).split(/\r\n?|\n/u);
  return lines.findIndex((line) => /^\s*["']?allowed[-_]?tools/iu.test(line)) + 1 || 1;
}
