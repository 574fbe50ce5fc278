import { visibleText, type Plan, type RegistryChange } from '@skillpack/core';
import { reportError } from '../frame/render-error.js';
import type { Style } from '../frame/style.js';
import { columns } from '../render/columns.js';
import { shortened } from '../render/shortened.js';
import type { ChatEvent } from './chat-event.js';
import type { ChatSkill } from './chat-skill.js';
import { chatCommands } from './parse-line.js';

/** What is told besides steps and answers. */
export type ChatNotice = Exclude<ChatEvent, { readonly kind: 'step' | 'piece' | 'answer' }>;

const longestDescription = 100;
const mostNamed = 10;

/** A notice as lines for a person, safe for a terminal. */
export function describeChatEvent(event: ChatNotice, style: Style): string {
  switch (event.kind) {
    case 'skills':
      return listOf(event.skills, event.words, style);
    case 'plan':
      return event.plan === undefined ? 'There is no plan.' : planOf(event.plan);
    case 'switched':
      return `${visibleText(event.name)} is switched ${event.on ? 'on again' : 'off for this chat'}.`;
    case 'help':
      return helpOf(style);
    case 'changed':
      return changeOf(event.change);
    case 'refused':
      return reportError(event.error, false).text(style).trimEnd();
  }
}

function listOf(skills: readonly ChatSkill[], words: string, style: Style): string {
  if (skills.length === 0) {
    return words === '' ? 'There are no skills here.' : `No skill has to do with “${visibleText(words)}”.`;
  }
  return columns(
    skills.map(({ name, scope, description, state, callable }) => [
      `${callable ? '/' : ' '}${visibleText(name)}`,
      style.dim(state === 'offered' ? scope : `${scope}, ${state}`),
      shortened(visibleText(description), longestDescription),
    ]),
    '  ',
  );
}

const marks = { pending: ' ', in_progress: '>', completed: 'x' } as const;

function planOf({ goal, steps }: Plan): string {
  return [
    `Plan: ${visibleText(goal)}`,
    ...steps.map(({ title, status }) => `  [${marks[status]}] ${visibleText(title)}`),
  ].join('\n');
}

function helpOf(style: Style): string {
  const called = { usage: '/<name> [words]', meaning: 'read the skill of that name, and work on the words with it' };
  const rows = [called, ...Object.values(chatCommands)].map(({ usage, meaning }) => [style.bold(usage), meaning]);
  return [
    'Each line is a request to the agent, or one of these:',
    columns(rows, '  '),
    'A line that begins with two slashes is a request, as it stands.',
  ].join('\n');
}

function changeOf({ added, removed, changed }: RegistryChange): string {
  const parts = [
    ...(added.length === 0 ? [] : [`new ${namesOf(added)}`]),
    ...(changed.length === 0 ? [] : [`changed ${namesOf(changed)}`]),
    ...(removed.length === 0 ? [] : [`gone ${namesOf(removed)}`]),
  ];
  return `Skills on the disk: ${parts.join('; ')}.`;
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => shortened(visibleText(name), 64));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
