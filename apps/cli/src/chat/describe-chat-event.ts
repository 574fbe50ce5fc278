import { visibleText, type Plan, type RegistryChange } from '@skillpack/core';
import { reportError } from '../frame/render-error.js';
import type { Style } from '../frame/style.js';
import { columns } from '../render/columns.js';
import { shortened } from '../render/shortened.js';
import { fitText, textWidth } from '../render/text-width.js';
import { wrapText } from '../render/wrap-text.js';
import { refusedSkills } from '../skills/refused-skills.js';
import type { ChatEvent } from './chat-event.js';
import { chatCommands, isCommand } from './parse-line.js';

/** What is told besides steps and answers. */
export type ChatNotice = Exclude<ChatEvent, { readonly kind: 'step' | 'piece' | 'answer' | 'waits' | 'thinks' }>;

const longestDescription = 100;
const leastDescription = 24;
const mostNamed = 10;
const widestUsage = Math.max(...Object.values(chatCommands).map(({ usage }) => usage.length));

/**
 * A notice as lines for a person, safe for a terminal.
 *
 * @param width columns of the terminal; without it, lines are as long as they are.
 */
export function describeChatEvent(event: ChatNotice, style: Style, width = Infinity): string {
  switch (event.kind) {
    case 'skills':
      return listOf(event, style, width);
    case 'plan':
      return event.plan === undefined ? 'There is no plan.' : planOf(event.plan);
    case 'switched':
      return `${visibleText(event.name)} is switched ${event.on ? 'on again' : 'off for this chat'}.`;
    case 'help':
      return helpOf(style, width);
    case 'changed':
      return changeOf(event.change);
    case 'refused':
      return reportError(event.error, false).text(style).trimEnd();
  }
}

function listOf({ skills, words }: ChatNotice & { kind: 'skills' }, style: Style, width: number): string {
  if (skills.length === 0) {
    return words === '' ? 'There are no skills here.' : `No skill has to do with “${visibleText(words)}”.`;
  }
  const rows = skills.map(({ name, scope, description, state, callable }) => ({
    name: `${callable ? (isCommand(name) ? '/skill ' : '/') : ' '}${visibleText(name)}`,
    state: state === 'offered' ? scope : `${scope}, ${state}`,
    description: shortened(visibleText(description), longestDescription),
  }));
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(textWidth));
  // Two columns stand before each of the three.
  const left = width - 6 - widest(rows.map(({ name }) => name)) - widest(rows.map(({ state }) => state));
  if (left < leastDescription) return rows.flatMap((row) => stacked(row, style, width)).join('\n');
  return columns(
    rows.map(({ name, state, description }) => [name, style.dim(state), fitText(description, left)]),
    '  ',
  );
}

/** Where columns would leave nothing for what a skill is for: its description has a row of its own. */
function stacked(
  { name, state, description }: { readonly name: string; readonly state: string; readonly description: string },
  style: Style,
  width: number,
): readonly string[] {
  const called = fitText(name, width - 2);
  const room = width - 4 - textWidth(called);
  const below = description === '' ? [] : [`      ${fitText(description, width - 6)}`];
  return [`  ${called}${room > 0 ? `  ${style.dim(fitText(state, room))}` : ''}`, ...below];
}

const marks = { pending: ' ', in_progress: '>', completed: 'x' } as const;

function planOf({ goal, steps }: Plan): string {
  return [
    `Plan: ${visibleText(goal)}`,
    ...steps.map(({ title, status }) => `  [${marks[status]}] ${visibleText(title)}`),
  ].join('\n');
}

function helpOf(style: Style, width: number): string {
  const called = { usage: '/<name> [words]', meaning: 'read the skill of that name, and work on the words with it' };
  const rows = [called, ...Object.values(chatCommands)];
  const beside = columns(
    rows.map(({ usage, meaning }) => [style.bold(usage), meaning]),
    '  ',
  );
  const below = rows.flatMap(({ usage, meaning }) => [
    `  ${style.bold(usage)}`,
    ...wrapText(meaning, width - 6).map((line) => `      ${line}`),
  ]);
  const wide = rows.every(({ meaning }) => meaning.length + widestUsage + 4 <= width);
  return [
    ...wrapText('Each line is a request to the agent, or one of these:', width),
    ...(wide ? [beside] : below),
    ...wrapText('A line that begins with two slashes is a request that begins with one.', width),
  ].join('\n');
}

function changeOf({ index, added, removed, changed }: RegistryChange): string {
  // A skill that is gone, and of which it is known why.
  const why = refusedSkills(index).filter(({ name }) => removed.includes(name));
  const parts = [
    ...(added.length === 0 ? [] : [`new ${namesOf(added)}`]),
    ...(changed.length === 0 ? [] : [`changed ${namesOf(changed)}`]),
    ...(removed.length === 0 ? [] : [`gone ${namesOf(removed)}`]),
  ];
  return [
    `Skills on the disk: ${parts.join('; ')}.`,
    ...why.slice(0, mostNamed).map(({ name, message }) => `${visibleText(name)}: ${message}`),
  ].join('\n');
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => shortened(visibleText(name), 64));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
