import type { Digest } from '../digest/is-digest.js';
import type { SkillScope } from '../registry/layer-skills.js';

/** Who asked for a skill: the model, the person by name, or whoever started the run. */
export type ActivatedBy = 'model' | 'user' | 'preload';

/**
 * One line of the ledger: a skill that was read, and what follows from that. The prompt, the unlocked tools, compaction
 * and the audit all derive from these lines, never from the conversation.
 */
export interface Activation {
  readonly name: string;
  readonly scope: SkillScope;
  readonly location: string;
  readonly pack: string | undefined;
  /** Of the SKILL.md that was read. */
  readonly digest: Digest;
  /** In a ledger, a person, or whoever started the run, stays named when the model loads it again. */
  readonly by: ActivatedBy;
  readonly reason: string;
  readonly turn: number;
  /** Names of the tools it unlocks, in order: those grouped with it first, then its allowed tools that exist. */
  readonly tools: readonly string[];
  /** Allowed tools that no tool was found for. */
  readonly unknownTools: readonly string[];
  /** What it says of tools in `allowed-tools`, as it is written there; `undefined` where it says nothing. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Lines of its body, and how many of them are in the context. */
  readonly lines: { readonly total: number; readonly shown: number };
  /** Whether it runs in a child run of its own. */
  readonly runMode: 'inline' | 'subagent';
}
