import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { searchOfIndex } from './index-search.js';
import { isForeign } from './search/foreign-words.js';
import { loadQueryVocabulary } from './search/load-query-vocabulary.js';
import type { RegistryOptions } from './skill-backend.js';
import type { SkillEntry, SkillIndex } from './skill-entry.js';
import { SkillLookup } from './skill-lookup.js';
import { checkSkillPath } from './skill-path.js';
import type { SkillRegistry, SkillSearchOptions } from './skill-registry.js';
import { checkAborted, untilAborted } from '../errors/until-aborted.js';

/** How the content of a skill that is in the index is read. Paths are judged already. */
export type SkillContent = Pick<SkillRegistry, 'files' | 'bytes' | 'body' | 'read'>;

/** What a registry is made of. */
export interface RegistryParts
  extends
    Pick<SkillRegistry, 'kind' | 'loadInstructions' | 'promptTemplate' | 'list' | 'watch' | 'subscribe' | 'searchText'>,
    SkillContent {
  index(options: RegistryOptions): Promise<SkillIndex>;
  reload(options: RegistryOptions): Promise<SkillIndex>;
  /** @default words over what is in the index, and over the texts where `searchText` reads them */
  readonly search?: SkillRegistry['search'] | undefined;
}

const lookups = new WeakMap<SkillIndex, SkillLookup>();

/**
 * What every registry does alike once there is an index: skills are found in it, and the content of those alone is read
 * that are in it, by the index's own entry and by paths that are judged here.
 */
export function assembleRegistry(parts: RegistryParts): SkillRegistry {
  const lookup = async (options: RegistryOptions): Promise<SkillLookup> => {
    checkAborted(options.signal);
    return lookupOf(await parts.index(options));
  };
  const own = async ({ name, location }: SkillEntry, options: RegistryOptions): Promise<SkillEntry> => {
    const entry = (await lookup(options)).at(location);
    if (entry !== undefined) return entry;
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} at ${quoted(location)} is not in the index.`, {
      hint: 'It was removed, switched off or never offered here: look in the index again.',
      data: { name, location },
    });
  };
  return {
    kind: parts.kind,
    // Those of layers change with what was read of them.
    get loadInstructions() {
      return parts.loadInstructions;
    },
    get promptTemplate() {
      return parts.promptTemplate;
    },
    list: async (options = {}) => untilAborted(async () => parts.list(options), options.signal),
    watch: parts.watch,
    subscribe: parts.subscribe,
    index: async (options = {}) => untilAborted(async () => parts.index(options), options.signal),
    reload: async (options = {}) => untilAborted(async () => parts.reload(options), options.signal),
    get: async (reference, options = {}) => (await lookup(options)).byReference(reference),
    getByPath: async (location, options = {}) => (await lookup(options)).byLocation(location),
    files: async (skill, options = {}) => {
      const entry = await own(skill, options);
      return untilAborted(async () => parts.files(entry, options), options.signal);
    },
    bytes: async (skill, path, options = {}) => {
      const checked = checkSkillPath(path);
      const entry = await own(skill, options);
      return untilAborted(async () => parts.bytes(entry, checked, options), options.signal);
    },
    body: async (skill, options = {}) => {
      const entry = await own(skill, options);
      return untilAborted(async () => parts.body(entry, options), options.signal);
    },
    read: async (skill, path, options = {}) => {
      const checked = checkSkillPath(path);
      const entry = await own(skill, options);
      return untilAborted(async () => parts.read(entry, checked, options), options.signal);
    },
    searchText: searchTextOf(parts, own),
    search: parts.search ?? (async (query, options = {}) => searchIndex(parts, query, options)),
  };
}

function searchTextOf(
  { searchText }: RegistryParts,
  own: (skill: SkillEntry, options: RegistryOptions) => Promise<SkillEntry>,
): SkillRegistry['searchText'] {
  if (searchText === undefined) return undefined;
  return async (skill, options = {}) => {
    const entry = await own(skill, options);
    return untilAborted(async () => searchText(entry, options), options.signal);
  };
}

function lookupOf(index: SkillIndex): SkillLookup {
  const known = lookups.get(index);
  if (known !== undefined) return known;
  const lookup = new SkillLookup(index);
  lookups.set(index, lookup);
  return lookup;
}

async function searchIndex(
  parts: Pick<RegistryParts, 'index' | 'searchText'>,
  query: string,
  options: SkillSearchOptions,
): ReturnType<SkillRegistry['search']> {
  checkAborted(options.signal);
  const index = await parts.index(options);
  const search = await searchOfIndex(index, parts, options);
  const vocabulary = isForeign(query) ? await untilAborted(loadQueryVocabulary, options.signal) : undefined;
  return search.find(query, { limit: options.limit, vocabulary });
}
