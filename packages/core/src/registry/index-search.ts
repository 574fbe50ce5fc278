import type { SkillSearch } from './search/skill-search.js';
import { SharedLoad } from './shared-load.js';
import type { RegistryOptions } from './skill-backend.js';
import type { SkillEntry, SkillIndex } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';
import { checkAborted, untilAborted } from '../errors/until-aborted.js';

/** Reads the beginning of a skill's text, as {@link SkillRegistry} says. */
export type ReadSearchText = NonNullable<SkillRegistry['searchText']>;

// What a search of a large index may cost at its beginning.
const mostTexts = 2_000;
const atOnce = 8;

const searches = new WeakMap<SkillIndex, SharedLoad<SkillSearch>>();

/**
 * The search over an index, made when it is first asked for and kept with the index. Texts are looked into where there is
 * a way to read them: those of the first 2,000 skills, eight at once. One that cannot be read is passed over.
 */
export async function searchOfIndex(
  index: SkillIndex,
  { searchText }: { readonly searchText?: ReadSearchText | undefined },
  { signal }: RegistryOptions,
): Promise<SkillSearch> {
  const { makeSkillSearch } = await untilAborted(async () => import('./search/make-skill-search.js'), signal);
  const known = searches.get(index);
  if (known !== undefined && !known.cancelled) return known.wait(signal);
  const load = new SharedLoad(async (loading) => {
    const texts = searchText === undefined ? undefined : await readTexts(index.skills, searchText, loading);
    const skills = index.skills.map((entry) => ({ entry, body: texts?.get(entry) }));
    return makeSkillSearch(skills, { signal: loading });
  });
  searches.set(index, load);
  return load.wait(signal);
}

async function readTexts(
  skills: readonly SkillEntry[],
  searchText: ReadSearchText,
  signal: AbortSignal,
): Promise<ReadonlyMap<SkillEntry, string>> {
  const texts = new Map<SkillEntry, string>();
  const waiting = skills.slice(0, mostTexts).values();
  // All of them take from one list.
  const work = async (): Promise<void> => {
    for (const skill of waiting) {
      checkAborted(signal);
      const text = await searchText(skill, { signal }).catch(() => undefined);
      if (text !== undefined) texts.set(skill, text);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  checkAborted(signal);
  return texts;
}
