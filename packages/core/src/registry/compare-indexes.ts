import type { SkillIndex } from './skill-entry.js';
import type { RegistryChange } from './skill-registry.js';
import { skillRow } from './skill-row.js';

/** What is different in `after`; `undefined` when both offer the same. */
export function compareIndexes(before: SkillIndex, after: SkillIndex): RegistryChange | undefined {
  if (before.skills === after.skills) return undefined;
  const left = byName(before);
  const right = byName(after);
  const added = [...right.keys()].filter((name) => !left.has(name));
  const removed = [...left.keys()].filter((name) => !right.has(name));
  const changed = [...right]
    .filter(([name, row]) => left.has(name) && left.get(name)?.() !== row())
    .map(([name]) => name);
  if (added.length + removed.length + changed.length === 0) return undefined;
  return { index: after, added, removed, changed };
}

function byName({ skills }: SkillIndex): ReadonlyMap<string, () => string> {
  return new Map(skills.map((entry) => [entry.name.normalize('NFC'), () => skillRow(entry)]));
}
