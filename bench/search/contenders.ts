import MiniSearch from 'minisearch';
import { createSkillSearch, loadQueryVocabulary, type SearchableSkill, type SkillEntry } from '@skillpack/core';
import type { BenchSkill } from './labelled-skills.ts';

/** Finds ids of skills for a request, best first. */
export type Find = (query: string, limit: number) => readonly string[];

/** A search that is measured. */
export interface Contender {
  readonly name: string;
  /** Makes the skills searchable, which is timed apart. */
  readonly build: (skills: readonly BenchSkill[]) => Find;
}

/** Ours first. */
export const contenders: readonly Contender[] = [
  { name: '`createSkillSearch`', build: ours },
  { name: 'MiniSearch, its defaults', build: miniSearch },
];

// As a registry searches; the vocabulary heeds queries in other languages only.
const vocabulary = await loadQueryVocabulary();

function ours(skills: readonly BenchSkill[]): Find {
  const searchable = searchableSkills(skills);
  const ids = new Map(searchable.map(({ entry }, index) => [entry, skills[index]?.id ?? '']));
  const search = createSkillSearch(searchable);
  return (query, limit) => search.find(query, { limit, vocabulary }).map(({ entry }) => ids.get(entry) ?? '');
}

function miniSearch(skills: readonly BenchSkill[]): Find {
  const search = new MiniSearch({ fields: ['name', 'description'] });
  search.addAll(skills);
  return (query, limit) =>
    search
      .search(query)
      .slice(0, limit)
      .map(({ id }) => String(id));
}

/** Skills as ours takes them. */
export function searchableSkills(skills: readonly BenchSkill[]): readonly SearchableSkill[] {
  return skills.map((skill) => ({ entry: entryOf(skill) }));
}

function entryOf({ name, description, location }: BenchSkill): SkillEntry {
  return {
    name,
    scope: 'user',
    location,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    head: {
      name,
      description,
      license: undefined,
      compatibility: undefined,
      metadata: {},
      allowedTools: undefined,
      version: undefined,
      author: undefined,
      modelInvocable: true,
      userInvocable: true,
      runMode: 'inline',
      frontMatter: {},
      bodyLine: 5,
    },
    diagnostics: [],
  };
}
