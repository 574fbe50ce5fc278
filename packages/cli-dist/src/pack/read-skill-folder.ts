import { basename, resolve } from 'node:path';
import {
  SkillsError,
  findPlaceholders,
  isPackNamePart,
  parseSkill,
  quoted,
  suggestSkillName,
  type ArchiveInput,
  type Skill,
  type SkillDiagnostic,
} from '@skillpack/core';
import { collectFiles, type CollectOptions } from './collect-files.js';
import { skillFileNames } from './find-skill-folders.js';
import type { PackDiagnostic } from './packed-pack.js';
import { pathIn } from './read-folder.js';

/** A skill folder, read and understood. */
export interface ReadSkill {
  readonly name: string;
  /** Relative to the packed folder; `.` for itself. */
  readonly folder: string;
  readonly skill: Skill;
  /** With the paths they have in the pack: `<name>/…`. */
  readonly files: readonly ArchiveInput[];
  readonly ignored: readonly string[];
  readonly diagnostics: readonly PackDiagnostic[];
}

/**
 * Reads a skill folder. The bytes of its files go into the pack as they are.
 *
 * @throws `INVALID_SKILL` when its SKILL.md cannot be used, and as {@link collectFiles}.
 */
export async function readSkillFolder(root: string, folder: string, options: CollectOptions): Promise<ReadSkill> {
  const collected = await collectFiles(root, folder, options);
  const byName = new Map(collected.files.map((file) => [file.path, file]));
  const fileName = skillFileNames.find((name) => byName.has(pathIn(folder, name)));
  const path = pathIn(folder, fileName ?? skillFileNames[0]);
  const file = byName.get(path);
  if (fileName === undefined || file === undefined) throw leftOut(path);
  const folderName = basename(resolve(root, folder));
  const parse = parseSkill(file.bytes, { folder: folderName, fileName });
  if (parse.kind === 'refused') throw invalidSkill(path, parse.diagnostics);
  const { name, diagnostics } = nameSkill(parse.skill, { path, folderName });
  // Where the folder's name is taken, “the name counts” is not so.
  const told = name === parse.skill.name ? parse.diagnostics : parse.diagnostics.filter(isNotOfNames);
  const placeholders = findPlaceholders(parse.skill).map((part) => ({
    code: 'placeholder-text',
    severity: 'warning' as const,
    path,
    line: part === 'body' ? parse.skill.bodyLine : 1,
    message: `The ${part} is still the one that every new skill begins with.`,
    fix: 'Write it before somebody installs the pack.',
  }));
  const prefix = folder === '.' ? '' : `${folder}/`;
  const files = collected.files.map((one) => ({
    ...one,
    path: `${name}/${one === file ? skillFileNames[0] : one.path.slice(prefix.length)}`,
  }));
  return {
    name,
    folder,
    skill: parse.skill,
    files,
    ignored: collected.ignored,
    diagnostics: [
      ...told.map((found) => ({ ...found, path })),
      ...diagnostics,
      ...placeholders,
      ...collected.diagnostics,
    ],
  };
}

function isNotOfNames({ code }: SkillDiagnostic): boolean {
  return code !== 'name-not-folder';
}

interface NamedFrom {
  readonly path: string;
  readonly folderName: string;
}

/** A skill is installed under its own name, or under that of its folder when its own cannot be one. */
function nameSkill(
  { name }: Skill,
  { path, folderName }: NamedFrom,
): { readonly name: string; readonly diagnostics: readonly PackDiagnostic[] } {
  if (isPackNamePart(name)) return { name, diagnostics: [] };
  if (isPackNamePart(folderName)) {
    const message = `The skill calls itself ${quoted(name)}, which cannot be a folder of a pack.`;
    const fix = `It is packed under the name of its folder, ${folderName}. Write that into its SKILL.md.`;
    return {
      name: folderName,
      diagnostics: [{ code: 'packed-as-folder', severity: 'warning', path, line: undefined, message, fix }],
    };
  }
  const suggestion = suggestSkillName(name) ?? suggestSkillName(folderName) ?? 'my-skill';
  throw new SkillsError(
    'INVALID_SKILL',
    `${path}: neither ${quoted(name)} nor the folder ${quoted(folderName)} can be a skill’s name.`,
    {
      hint: `A name is 1 to 64 of a-z, 0-9 and single hyphens. Write “name: ${suggestion}”.`,
      data: { path, name, folder: folderName },
    },
  );
}

function invalidSkill(path: string, diagnostics: readonly SkillDiagnostic[]): SkillsError {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return new SkillsError('INVALID_SKILL', `${path}:${first?.line ?? 1}: ${first?.message ?? 'It cannot be read.'}`, {
    hint: first?.fix,
    data: { path, line: first?.line ?? 1, diagnostics },
  });
}

function leftOut(path: string): SkillsError {
  return new SkillsError('INVALID_SKILL', `${path} is left out of the pack, but a skill is nothing without it.`, {
    hint: 'Correct .skillpackignore, or "files" in skillpack.json.',
    data: { path },
  });
}
