import { SkillsError } from '../../errors/skills-error.js';
import { skillScopes } from '../../registry/layer-skills.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import { listVariable, usableTemplate } from '../../registry/usable-template.js';
import { chooseLevels, type CatalogueCandidate, type CatalogueLevel } from './catalogue-levels.js';
import {
  catalogueTemplate,
  groupTitle,
  rulesOfActions,
  skillLine,
  type CatalogueRules,
  type CatalogueStyle,
} from './catalogue-style.js';

/** The skills that a model is told of, and what speaks for some of them. */
export interface CatalogueSkills {
  /** Those of an index. Skills without a description, and those that no model may call, are left out. */
  readonly skills: readonly SkillEntry[];
  /** Names that are switched off. @default [] */
  readonly disabled?: readonly string[] | undefined;
  /** Names that keep their whole description whatever the budget. @default [] */
  readonly pinned?: readonly string[] | undefined;
  /** Locations of skills that were in use before the request. @default [] */
  readonly used?: readonly string[] | undefined;
  /** Names of those that a search for the request found, the best first. @default [] */
  readonly ranked?: readonly string[] | undefined;
}

/** How a text is measured. */
export interface TokenPorts {
  /** Tokens of a text. The whole must not have more than its lines together. */
  readonly countTokens: (text: string) => number;
}

/** How a catalogue is made. */
export interface CatalogueOptions {
  /** Tokens that it may take; the skills get at least half of it, however long the text around them is. */
  readonly budget: number;
  /** @default 'markdown' */
  readonly style?: CatalogueStyle | undefined;
  /** Text with `{skills_list}` and, where it is wanted, `{skills_load_instructions}`. @default that of the style */
  readonly template?: string | undefined;
  /** How a skill is loaded, in a sentence. @default by the action `select_skills` */
  readonly loadInstructions?: string | undefined;
  /** How skills are found that are not listed, in a sentence; empty where they cannot. @default by `search_skills` */
  readonly searchInstructions?: string | undefined;
  /** What the Markdown style says of files and scripts. @default that actions read and run them */
  readonly rules?: Partial<CatalogueRules> | undefined;
}

/** A catalogue of skills, as a model reads it. */
export interface Catalogue {
  /** Empty where there is no skill to tell of. */
  readonly text: string;
  readonly tokens: number;
  /** By name. */
  readonly levels: ReadonlyMap<string, CatalogueLevel>;
  readonly counts: CatalogueCounts;
  /** Names of those that are not shown, in the order of the index. */
  readonly hidden: readonly string[];
}

/** How many skills a catalogue shows in full, shortened, by name alone, and not at all. */
export interface CatalogueCounts {
  readonly full: number;
  readonly short: number;
  readonly named: number;
  readonly hidden: number;
}

const selectInstructions = 'To load skills, answer with the action `select_skills`, naming them.';
const searchInstructionsOfActions = 'Find them with `search_skills`.';

/**
 * Renders what a model is told of the skills before it loads any: names, descriptions and folders, each in one line that
 * cannot break out of the list. Where not all fit the budget, those in use and those that fit the request come first; the
 * others are shortened, or only counted. The same input gives the same text, so what a provider keeps of a prompt lasts
 * for as long as nothing of it changes; where everything fits, neither use nor request changes anything.
 *
 * @throws `USAGE` for a template without `{skills_list}`.
 */
export function renderCatalogue(input: CatalogueSkills, ports: TokenPorts, options: CatalogueOptions): Catalogue {
  const { countTokens } = ports;
  const style = options.style ?? 'markdown';
  const template = options.template ?? catalogueTemplate(style, { ...rulesOfActions, ...options.rules });
  checkTemplate(template);
  const candidates = rankCandidates(input);
  if (candidates.length === 0) return emptyCatalogue;
  const around = fillTemplate(template, { ...options, list: groupTitles(candidates, style) });
  const levels = chooseLevels(
    candidates,
    (entry, level) => countTokens(`${skillLine(entry, level, style)}\n`),
    Math.max(options.budget - countTokens(around), options.budget / 2),
  );
  const list = renderList(candidates, levels, { ...options, style });
  const text = fillTemplate(template, { ...options, list });
  return { text, tokens: countTokens(text), ...summarise(input.skills, levels) };
}

/** @throws `USAGE` for a template without `{skills_list}`. */
export function checkTemplate(template: string): void {
  if (usableTemplate(template) !== undefined) return;
  throw new SkillsError('USAGE', `The template of the catalogue has no ${listVariable}.`, {
    hint: 'Put it where the skills shall stand.',
  });
}

const emptyCatalogue: Catalogue = {
  text: '',
  tokens: 0,
  levels: new Map(),
  counts: { full: 0, short: 0, named: 0, hidden: 0 },
  hidden: [],
};

/** Those that a model may be told of: pinned ones first, then those in use, those that the search found, and by name. */
function rankCandidates(input: CatalogueSkills): readonly CatalogueCandidate[] {
  const [disabled, pinned] = [input.disabled, input.pinned].map((names = []) => new Set(names.map(canonical)));
  const used = new Set(input.used);
  const ranks = new Map((input.ranked ?? []).toReversed().map((name, index) => [canonical(name), index + 1]));
  const offered = input.skills
    .filter(({ name, head }) => isOffered(head) && disabled?.has(canonical(name)) !== true)
    .map((entry) => {
      const rank = ranks.get(canonical(entry.name)) ?? 0;
      const inUse = used.has(entry.location);
      const isPinned = pinned?.has(canonical(entry.name)) === true;
      const weight = rank + (inUse ? ranks.size + 1 : 0);
      return { entry, pinned: isPinned, relevant: weight > 0, weight: isPinned ? Infinity : weight };
    });
  return offered.toSorted((left, right) =>
    left.weight === right.weight ? byName(left.entry, right.entry) : right.weight - left.weight,
  );
}

function isOffered(head: SkillEntry['head']): boolean {
  return head.modelInvocable && head.description !== undefined && head.description.trim() !== '';
}

function byName(left: SkillEntry, right: SkillEntry): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}

function canonical(name: string): string {
  return name.normalize('NFC');
}

interface ListOptions extends CatalogueOptions {
  readonly style: CatalogueStyle;
}

/** The skills by scope and name; then how many are not shown. */
function renderList(
  candidates: readonly CatalogueCandidate[],
  levels: ReadonlyMap<SkillEntry, CatalogueLevel>,
  { style, searchInstructions }: ListOptions,
): string {
  const sorted = candidates.map(({ entry }) => entry).toSorted(byName);
  const groups = skillScopes.map((scope) => {
    const lines = sorted
      .filter((entry) => entry.scope === scope)
      .flatMap((entry) => {
        const level = levels.get(entry) ?? 'hidden';
        return level === 'hidden' ? [] : [skillLine(entry, level, style)];
      });
    const title = groupTitle(scope, style);
    return lines.length === 0 || title === undefined ? lines : [[title, ...lines].join('\n')];
  });
  const parts = groups.flat();
  const hidden = sorted.filter((entry) => levels.get(entry) === 'hidden').length;
  const notice = hidden === 0 ? [] : [hiddenNotice(hidden, searchInstructions ?? searchInstructionsOfActions)];
  if (style === 'plain') return [...parts, ...notice].join('\n');
  return [...parts, ...notice].join('\n\n');
}

function hiddenNotice(count: number, searchInstructions: string): string {
  return `${count} more ${count === 1 ? 'skill is' : 'skills are'} not listed here. ${searchInstructions}`.trim();
}

/** What a list holds besides its skills, at the most. */
function groupTitles(candidates: readonly CatalogueCandidate[], style: CatalogueStyle): string {
  const scopes = new Set(candidates.map(({ entry }) => entry.scope));
  const titles = [...scopes].map((scope) => groupTitle(scope, style) ?? '');
  return [...titles, hiddenNotice(candidates.length, searchInstructionsOfActions)].join('\n\n');
}

/** In one pass, so that nothing is replaced in what was put in. */
function fillTemplate(
  template: string,
  { list, loadInstructions }: { readonly list: string; readonly loadInstructions?: string | undefined },
): string {
  return template.replace(/\{skills_list\}|\{skills_load_instructions\}/gu, (variable) =>
    variable === listVariable ? list : (loadInstructions ?? selectInstructions),
  );
}

function summarise(
  skills: readonly SkillEntry[],
  levels: ReadonlyMap<SkillEntry, CatalogueLevel>,
): Pick<Catalogue, 'levels' | 'counts' | 'hidden'> {
  const counts = { full: 0, short: 0, named: 0, hidden: 0 };
  const hidden: string[] = [];
  const named = new Map<string, CatalogueLevel>();
  for (const entry of skills) {
    const level = levels.get(entry);
    if (level === undefined) continue;
    counts[level === 'name' ? 'named' : level] += 1;
    named.set(entry.name, level);
    if (level === 'hidden') hidden.push(entry.name);
  }
  return { levels: named, counts, hidden };
}
