import { writeDocument } from '../json/json-document.js';
import type { SkillEntry } from './skill-entry.js';

const rows = new WeakMap<SkillEntry, string>();

/** A line that two entries have in common when they offer the same: name, scope, location, pack and front matter. */
export function skillRow(entry: SkillEntry): string {
  const known = rows.get(entry);
  if (known !== undefined) return known;
  const { name, scope, location, pack, packVersion, head } = entry;
  const row = writeDocument(
    { name: name.normalize('NFC'), scope, location, pack, packVersion, head },
    { compact: true },
  );
  rows.set(entry, row);
  return row;
}
