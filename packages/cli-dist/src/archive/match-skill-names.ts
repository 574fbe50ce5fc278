import { quoted } from '@skillpack/core';
import { skillFileName } from './archive-layout.js';
import { readBeginning } from './read-beginning.js';
import { refuse } from './refuse.js';
import type { ScannedArchive, ScannedFile } from './scanned-archive.js';
import { headBytes, skillNameIn } from './skill-name-in.js';

/** What a manifest says of an archive's skills. */
export interface ListedSkills {
  /** By name, which is the name of their folder. */
  readonly skills: readonly { readonly name: string }[];
  /** The folder around everything, with a slash at the end, or nothing. */
  readonly base: string;
}

/**
 * Holds the names that skills give themselves to those of the manifest: agents know a skill by its own name, so one that
 * is listed under another would stand beside, or before, the skill that really bears it.
 *
 * @throws `ARCHIVE_REFUSED` naming the first skill that calls itself otherwise.
 */
export async function matchSkillNames(scanned: ScannedArchive, { skills, base }: ListedSkills): Promise<void> {
  const byPath = new Map(scanned.files.map((file) => [file.path, file]));
  const listed = new Map<ScannedFile, string>();
  for (const { name } of skills) {
    const file = byPath.get(`${base}${name}/${skillFileName}`);
    if (file !== undefined) listed.set(file, name);
  }
  for await (const { file, chunks } of scanned.contents(new Set(listed.keys()))) {
    const own = await skillNameIn(await readBeginning(chunks, headBytes), { partial: file.size > headBytes });
    const name = listed.get(file);
    if (own === undefined || own === name) continue;
    const path = file.path.slice(base.length);
    throw refuse('manifest-mismatch', `${quoted(path)} calls itself ${own}, but manifest.json says ${name}`, { path });
  }
}
