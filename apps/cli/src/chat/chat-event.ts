import type { Plan, RegistryChange, RunAnswer, RunEvent, SkillsError } from '@skillpack/core';
import type { ChatSkill } from './chat-skill.js';

/** What a chat tells whoever shows it. Texts are as skills and models wrote them. */
export type ChatEvent =
  /** Something happened in the run. */
  | { readonly kind: 'step'; readonly event: RunEvent }
  /** A piece of the answer, while the model writes it. It counts only if the answer turns out to be the same. */
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: RunAnswer; readonly streamed: string }
  /** `words` are those that were searched for. */
  | { readonly kind: 'skills'; readonly skills: readonly ChatSkill[]; readonly words: string }
  | { readonly kind: 'plan'; readonly plan: Plan | undefined }
  | { readonly kind: 'switched'; readonly name: string; readonly on: boolean }
  | { readonly kind: 'help' }
  /** The skills on the disk changed. */
  | { readonly kind: 'changed'; readonly change: RegistryChange }
  /** So many milliseconds pass before the model is asked again. */
  | { readonly kind: 'waits'; readonly milliseconds: number }
  /** A line of what the model thinks. */
  | { readonly kind: 'thinks'; readonly line: string }
  /** What was typed could not be done; the chat goes on. */
  | { readonly kind: 'refused'; readonly error: SkillsError };
