import type { expect as Expect } from 'vitest';
import type { ErrorCode } from '../errors/codes.js';
import { SkillsError } from '../errors/skills-error.js';
import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillRegistry } from '../registry/skill-registry.js';

/** A registry under test, which offers what {@link contractSkillFiles} holds, each first folder as a skill. */
export interface SkillRegistrySubject {
  readonly registry: SkillRegistry;
  /**
   * Puts a file in its place, or takes it away (`undefined`), where the place can be changed while it is read. The path
   * is one as in {@link contractSkillFiles}. A registry that watches its place may notice by itself.
   */
  readonly write?: ((path: string, content: string | undefined) => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** What a case of the contract is run on. */
export interface SkillRegistryCaseSubject extends SkillRegistrySubject {
  /** The name that a skill has in the index, from the one it gives itself. */
  nameOf(name: string): string;
  /** Whether the skill `café` is not there. */
  readonly asciiNames: boolean;
  /** The entry of a skill, from the name that it gives itself. */
  skill(name: string): Promise<SkillEntry>;
}

/** One promise of the contract. */
export interface SkillRegistryCase {
  readonly title: string;
  run(subject: SkillRegistryCaseSubject): Promise<void>;
}

/** Awaits an error of this code, and hands it back. */
export async function expectCode(
  expect: typeof Expect,
  promise: Promise<unknown>,
  code: ErrorCode,
): Promise<SkillsError | undefined> {
  const outcome: unknown = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  expect(SkillsError.is(outcome) ? outcome.code : outcome).toBe(code);
  return SkillsError.is(outcome) ? outcome : undefined;
}
