import type { JsonObject } from '../json/json-value.js';
import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillExcerpt, SkillSelection } from '../registry/skill-excerpt.js';

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

/** What programs learn of a file that was read. */
export function excerptOutput({ path, digest, size, content, truncated, lines, next }: SkillExcerpt): JsonObject {
  return {
    path,
    sha256: digest,
    bytes: size,
    content,
    truncated,
    ...(lines === undefined ? {} : { lines: { ...lines } }),
    ...(next === undefined ? {} : { next: plainSelection(next) }),
  };
}

function plainSelection(selection: SkillSelection): Readonly<Record<string, string | number>> {
  const fields = Object.entries(selection).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as Readonly<Record<string, string | number>>;
}
