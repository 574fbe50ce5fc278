import { resolve } from 'node:path';
import type { SkillDiagnostic, SkillProfile } from '@skillpack/core';
import { findSkillFolders } from './find-skill-folders.js';
import { lintSkillFolder } from './lint-skill-folder.js';
import { readSkillFolder } from './read-skill-folder.js';

/** How skills are checked. */
export interface LintSkillsOptions {
  /** Relative paths start from here. */
  readonly from: string;
  readonly profile: SkillProfile;
  readonly noAngleBrackets: boolean;
}

/** What was found about one skill. */
export interface LintedSkill {
  readonly path: string;
  /** As the skill says it, else as its folder is called. */
  readonly name: string;
  readonly ok: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** What was found about all of them. */
export interface LintReport {
  /** Whether no skill has an error. */
  readonly ok: boolean;
  readonly profile: SkillProfile;
  readonly skills: readonly LintedSkill[];
  readonly errors: number;
  readonly warnings: number;
}

/** Checks every skill that the paths mean, each once. @throws `FILE_NOT_FOUND`, `SKILL_NOT_FOUND`. */
export async function lintSkills(paths: readonly string[], options: LintSkillsOptions): Promise<LintReport> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (const folder of await findSkillFolders(resolve(options.from, path))) folders.add(folder);
  }
  const skills: LintedSkill[] = [];
  for (const folder of folders) skills.push(await lintFolder(folder, options));
  const all = skills.flatMap(({ diagnostics }) => diagnostics);
  return {
    ok: skills.every(({ ok }) => ok),
    profile: options.profile,
    skills,
    errors: all.filter(({ severity }) => severity === 'error').length,
    warnings: all.filter(({ severity }) => severity === 'warning').length,
  };
}

async function lintFolder(path: string, options: LintSkillsOptions): Promise<LintedSkill> {
  const read = await readSkillFolder(path);
  const parse = lintSkillFolder(read, options);
  return {
    path,
    name: parse.kind === 'skill' ? parse.skill.name : read.folder,
    ok: parse.kind === 'skill',
    diagnostics: parse.diagnostics,
  };
}
