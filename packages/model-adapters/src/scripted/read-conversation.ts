import { agentActionKinds, parseDecision, type Decision, type ModelMessage } from '@skillpack/core';
import { bodyIn, calledAgain, loadedSkills, withoutBlocks } from './prompt-blocks.js';

/** An observation, as a script sees it. */
export interface SeenObservation {
  readonly ok: boolean;
  readonly content: string;
}

/** What a script sees of a conversation. */
export interface Conversation {
  /** What the person wrote last, without what the run added to it. */
  readonly request: string;
  /** From 1 in each request; every answer of the model counts. */
  readonly turn: number;
  /** What the model is to act on; `undefined` in the first turn of a request. */
  readonly observation: SeenObservation | undefined;
  /** All observations since the newest request, the oldest first. */
  readonly seen: readonly SeenObservation[];
  /** The decisions since the newest request, the oldest first; answers that are none are left out. */
  readonly decisions: readonly Decision[];
  /** Names of the skills that were read in the whole conversation, in order. */
  readonly activeSkills: readonly string[];
}

/** Reads the messages of a request. */
export function readConversation(all: readonly ModelMessage[]): Conversation {
  // A message in which nobody but the run says something is not the person's.
  const messages = all.filter(({ role, content }) => role !== 'user' || isSaid(content));
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const newest = messages.slice(start + 1);
  const seen = newest.filter((message) => message.role === 'observation').map(observationOf);
  return {
    request: withoutBlocks(messages[start]?.content ?? ''),
    turn: newest.filter(({ role }) => role === 'assistant').length + 1,
    observation: newest.at(-1)?.role === 'observation' ? seen.at(-1) : undefined,
    seen,
    decisions: newest.flatMap((message) => decisionOf(message) ?? []),
    activeSkills: activeSkills(all),
  };
}

function isSaid(content: string): boolean {
  return withoutBlocks(content) !== '' || bodyIn(content) !== undefined || calledAgain(content) !== undefined;
}

/** With the bodies of skills, which are what is observed, and without the state of the run behind them. */
function observationOf({ ok, content }: ModelMessage & { readonly role: 'observation' }): SeenObservation {
  const state = content.lastIndexOf('<run_state>');
  return { ok, content: (state === -1 ? content : content.slice(0, state)).trimEnd() };
}

function decisionOf(message: ModelMessage): Decision | undefined {
  if (message.role !== 'assistant') return undefined;
  const reading = parseDecision(message.content, agentActionKinds);
  return reading.kind === 'decision' ? reading.decision : undefined;
}

/** As the state of the run says; without one, what was selected with success. */
function activeSkills(messages: readonly ModelMessage[]): readonly string[] {
  const stated = messages.flatMap(({ content, role }) => (role === 'assistant' ? [] : (loadedSkills(content) ?? [])));
  const stateless = messages.every(({ content }) => loadedSkills(content) === undefined);
  if (!stateless) return [...new Set(stated)];
  return [...new Set(messages.flatMap((message, index) => skillsRead(message, messages[index + 1])))];
}

function skillsRead(message: ModelMessage, next: ModelMessage | undefined): readonly string[] {
  if (next?.role !== 'observation' || !next.ok) return [];
  const action = decisionOf(message)?.action;
  return action?.kind === 'select_skills' ? action.skills.map(({ name }) => name) : [];
}
