/** How strictly a SKILL.md is held to the specification. */
export type SkillProfile = 'lenient' | 'strict';

/** A skill, as its SKILL.md describes it. */
export interface Skill {
  readonly name: string;
  /** `undefined` only under `lenient`: such a skill is never offered to a model, a person may still call it. */
  readonly description: string | undefined;
  readonly license: string | undefined;
  /** What the skill needs of its surroundings, in words. */
  readonly compatibility: string | undefined;
  /** Strings to strings by the specification; `lenient` keeps whatever stands there. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Pre-approved tools, one grammar item each (`Bash(git:*)`); `undefined` when the skill says nothing. */
  readonly allowedTools: readonly string[] | undefined;
  readonly version: string | undefined;
  readonly author: string | undefined;
  /** Whether a model may be offered the skill. */
  readonly modelInvocable: boolean;
  /** Whether a person is offered the skill as a command. */
  readonly userInvocable: boolean;
  readonly runMode: 'inline' | 'subagent';
  /** Every field as it was written, unknown ones included. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The Markdown after the front matter, with `\n` line ends and without invisible characters. */
  readonly body: string;
  /** The line of the file on which {@link body} begins, from 1. */
  readonly bodyLine: number;
}

/** How much a finding weighs: an `error` makes the skill unusable under its profile. */
export type SkillSeverity = 'error' | 'warning' | 'info';

/** One finding about a SKILL.md. */
export interface SkillDiagnostic {
  /** A closed word, `description-missing`. */
  readonly code: string;
  readonly severity: SkillSeverity;
  /** What was found, with the value. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, where one is known. */
  readonly column: number | undefined;
  /** What to do, or what was done. */
  readonly fix: string;
}

/** What came of reading a SKILL.md. */
export type SkillParse =
  | { readonly kind: 'skill'; readonly skill: Skill; readonly diagnostics: readonly SkillDiagnostic[] }
  | { readonly kind: 'refused'; readonly diagnostics: readonly SkillDiagnostic[] };
