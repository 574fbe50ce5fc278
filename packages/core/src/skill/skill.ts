/** How strictly a SKILL.md is held to the specification. */
export type SkillProfile = 'lenient' | 'strict';

/** What the front matter of a SKILL.md says: all of a skill but its text. */
export interface SkillHead {
  readonly name: string;
  /** `undefined` only under `lenient`: such a skill is never offered to a model, a person may still call it. */
  readonly description: string | undefined;
  readonly license: string | undefined;
  /** What the skill needs of its surroundings, in words. */
  readonly compatibility: string | undefined;
  /** Strings to strings by the specification; whatever stands there is kept. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Pre-approved tools, one grammar item each (`Bash(git:*)`); `undefined` when the skill says nothing. */
  readonly allowedTools: readonly string[] | undefined;
  /** As written: `1.10` stays `1.10`. */
  readonly version: string | undefined;
  readonly author: string | undefined;
  /** Whether a model may be offered the skill. */
  readonly modelInvocable: boolean;
  /** Whether a person is offered the skill as a command. */
  readonly userInvocable: boolean;
  readonly runMode: 'inline' | 'subagent';
  /**
   * Every field, unknown ones included. A plain scalar is `true`, `false`, `null` or a number only where that loses
   * nothing; every other one is the text that was written, invisible characters included.
   */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The line of the file on which the body begins, from 1. */
  readonly bodyLine: number;
}

/** A skill, as its SKILL.md describes it. */
export interface Skill extends SkillHead {
  /** The Markdown after the front matter, with `\n` line ends and without invisible characters. */
  readonly body: string;
}
