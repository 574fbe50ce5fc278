import type { JsonObject } from '../json/json-value.js';
import type { SkillEntry } from '../registry/skill-entry.js';

/** What programs learn of a skill from the result of a tool. */
export function skillOutput({ name, scope, location, pack, packVersion, head }: SkillEntry): JsonObject {
  const known = Object.entries({
    name: head.name,
    description: head.description,
    license: head.license,
    compatibility: head.compatibility,
    version: head.version,
    author: head.author,
    scope,
    pack,
    pack_version: packVersion,
  });
  const metadata = known.filter((field): field is [string, string] => field[1] !== undefined);
  return { skill_name: name, skill_path: location, metadata: Object.fromEntries(metadata) };
}
