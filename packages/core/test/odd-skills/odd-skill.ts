import type { SkillDiagnosticCode } from '@skillpack/core';

/** A SKILL.md as somebody might write it, and what has to come of it. */
export interface OddSkill {
  readonly title: string;
  readonly source: string | Uint8Array;
  /** The folder it lies in. @default 'pdf' */
  readonly folder?: string;
  /** The name of the file. @default 'SKILL.md' */
  readonly fileName?: string;
  /** Every code that `lenient` reports, in any order; those about the body's length and emptiness included. */
  readonly codes: readonly SkillDiagnosticCode[];
  /** What `lenient` reads; `undefined` where it refuses. */
  readonly reads:
    | { readonly name?: string; readonly description?: string | undefined; readonly body?: string }
    | undefined;
  /** Whether `strict` accepts it. */
  readonly strict: boolean;
  /** Why `strict` refuses what the reference validator accepts; absent where they agree. */
  readonly differs?: string;
}
