import { SkillsError } from '@skillpack/core';

/**
 * Keeps what belongs to a conversation by its id, and makes it where it is not there. Of more than `most`, the one that lay
 * still longest is forgotten.
 *
 * @throws `USAGE` for a limit below 1.
 */
export function keepConversations<Kept>(make: () => Kept, most: number): (id: string) => Kept {
  if (!(most >= 1)) throw new SkillsError('USAGE', `${most} conversations cannot be kept: 1 is the least.`);
  const kept = new Map<string, Kept>();
  return (id) => {
    const found = kept.get(id) ?? make();
    // What was used last stands last.
    kept.delete(id);
    kept.set(id, found);
    for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
    return found;
  };
}
