import type { Permissions, RunSummary } from '@skillpack/core';
import { shellLine } from '../agent/approving-command.js';
import type { RunLine, RunStory } from '../agent/describe-run.js';
import { describeRules, type RecordedTerms } from '../agent/recorded-terms.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';
import { describeUsage } from './describe-usage.js';
import { duration } from './duration.js';

/** A run, as it is shown. */
export interface ShownRun {
  readonly summary: RunSummary;
  /** Where whoever worked on it is gone, and it was not finished: what it waits for, and how it goes on. */
  readonly goOn: { readonly state: string; readonly command: string } | null;
  /** Whether a line of its record was being written when that happened. */
  readonly torn: boolean;
  readonly folder: string;
  readonly terms: RecordedTerms;
  readonly story: RunStory;
}

/** A run for a person: what was asked, done and answered, then what it read and what it took. */
export function renderRun({ summary, goOn, torn, folder, terms, story }: ShownRun, style: Style): string {
  const { id, status, model, started, ended } = summary;
  const took = Math.max(0, Date.parse(ended) - Date.parse(started)) || 0;
  const state = goOn === null ? status : style.yellow(goOn.state);
  return [
    `${style.bold(id)}  ${state}, ${model}, ${duration(took)}`,
    ...(goOn === null ? [] : [style.yellow(`To go on: ${goOn.command}`)]),
    ...(goOn === null || story.wanted === undefined
      ? []
      : [
          style.yellow(
            `It asks for the yes at a terminal; to say it beforehand, add: ${shellLine(['--approve', story.wanted])}`,
          ),
        ]),
    ...(torn
      ? [style.yellow('The last line of its record was torn off while it was written; it counts for nothing.')]
      : []),
    '',
    ...story.lines.map((line) => renderLine(line, style)),
    '',
    columns(factsOf(summary, { folder, terms, story })),
  ].join('\n');
}

// What a request or an answer says looks like no step, and like none of the facts: each of its lines is marked.
function renderLine(line: RunLine, style: Style): string {
  switch (line.kind) {
    case 'request':
      return style.cyan(`> ${line.text.replaceAll('\n', '\n> ')}`);
    case 'step':
      return style.dim(`  ${'  '.repeat(line.depth)}${line.text}`);
    case 'answer': {
      const text = `< ${line.text.replaceAll('\n', '\n< ')}`;
      return line.note === ''
        ? text
        : `${style.yellow(`  ${line.note === 'question' ? 'it asks' : `not finished: ${line.note}`}`)}\n${text}`;
    }
  }
}

function factsOf(
  summary: RunSummary,
  { folder, terms, story: { approvals } }: Pick<ShownRun, 'folder' | 'terms' | 'story'>,
): readonly (readonly string[])[] {
  const { skills, spent, limits, usage } = summary;
  const names = [...new Set(skills.map(({ name, scope }) => `${name} (${scope})`))];
  return [
    ['skills', names.length === 0 ? 'none' : shortList(names)],
    ...(terms.permissions === null ? [] : [['permissions', permissionsOf(terms.permissions)]]),
    ...(terms.leaves === null ? [] : [['sandbox', sandboxOf(terms.confinement, terms.leaves)]]),
    ...listed('approvals', approvals),
    [
      'budget',
      [
        part(spent.turns, limits.turns, 'turn'),
        part(spent.toolCalls, limits.toolCalls, 'action'),
        part(spent.scripts, limits.scripts, 'script'),
        describeUsage(usage) ?? '0 tokens',
      ].join(', '),
    ],
    ...(summary.project === undefined ? [] : [['project', summary.project]]),
    ['record', folder],
  ];
}

function permissionsOf({ configured, run, allowedTools = {} }: Permissions): string {
  const modes =
    typeof allowedTools === 'string'
      ? [allowedTools]
      : Object.entries(allowedTools).map(([name, mode]) => `${name} ${mode}`);
  return [
    ...(configured === undefined ? [] : [describeRules(configured)]),
    ...(run === undefined ? [] : [`in this run at most: ${describeRules(run)}`]),
    ...(modes.length === 0 ? [] : [`allowed-tools of skills: ${modes.join(', ')}`]),
  ].join('; ');
}

function sandboxOf(confinement: string | null, leaves: readonly string[]): string {
  const can = leaves.length === 0 ? '' : `a script could ${leaves.join(', ')}`;
  if (confinement === null) return can === '' ? 'none' : `none: ${can}`;
  return can === '' ? confinement : `${confinement}; ${can} all the same`;
}

const mostNamed = 20;

function shortList(parts: readonly string[]): string {
  const more = parts.length - mostNamed;
  return [...parts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** A row for each. */
function listed(name: string, parts: readonly string[]): readonly (readonly string[])[] {
  const [first = 'none', ...others] = parts.slice(0, mostNamed);
  const more = parts.length - mostNamed;
  return [[name, first], ...others.map((other) => ['', other]), ...(more > 0 ? [['', `and ${more} more`]] : [])];
}

// Of several requests the sum is spent, and each has the limit for itself.
function part(spent: number, limit: number | undefined, noun: string): string {
  return limit === undefined ? count(spent, noun) : `${count(spent, noun)} (at most ${limit} a request)`;
}
