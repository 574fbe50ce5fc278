import { agentActionKinds, parseDecision, type Decision, type ModelMessage } from '@skillpack/core';

/** What a script sees of a conversation. */
export interface Conversation {
  /** The newest message of the person. */
  readonly request: string;
  /** From 1 in each request; every answer of the model counts. */
  readonly turn: number;
  /** What the model is to act on; `undefined` in the first turn of a request. */
  readonly observation: { readonly ok: boolean; readonly content: string } | undefined;
  /** All observations since the newest request, the oldest first. */
  readonly seen: readonly { readonly ok: boolean; readonly content: string }[];
  /** The decisions since the newest request, the oldest first; answers that are none are left out. */
  readonly decisions: readonly Decision[];
  /** Names of the skills that were read in the whole conversation, in order. */
  readonly activeSkills: readonly string[];
}

/** Reads the messages of a request. */
export function readConversation(messages: readonly ModelMessage[]): Conversation {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const newest = messages.slice(start + 1);
  const seen = newest.filter((message) => message.role === 'observation');
  const last = messages.at(-1);
  return {
    request: messages[start]?.content ?? '',
    turn: newest.filter(({ role }) => role === 'assistant').length + 1,
    observation: last?.role === 'observation' ? last : undefined,
    seen,
    decisions: newest.flatMap((message) => decisionOf(message) ?? []),
    activeSkills: [...new Set(messages.flatMap((message, index) => skillsRead(message, messages[index + 1])))],
  };
}

function decisionOf(message: ModelMessage): Decision | undefined {
  if (message.role !== 'assistant') return undefined;
  const reading = parseDecision(message.content, agentActionKinds);
  return reading.kind === 'decision' ? reading.decision : undefined;
}

function skillsRead(message: ModelMessage, next: ModelMessage | undefined): readonly string[] {
  if (next?.role !== 'observation' || !next.ok) return [];
  const action = decisionOf(message)?.action;
  return action?.kind === 'select_skills' ? action.skills.map(({ name }) => name) : [];
}
