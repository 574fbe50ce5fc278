import {
  findPathConflict,
  isPackNamePart,
  judgePath,
  lintSkill,
  pathProblems,
  type SkillParse,
  type SkillProfile,
} from '@skillpack/core';
import { lintAllowedTools } from './lint-allowed-tools.js';
import type { ReadSkillFolder } from './read-skill-folder.js';

/** By which rules a skill is checked. */
export interface LintSkillFolderOptions {
  readonly profile: SkillProfile;
  readonly noAngleBrackets: boolean;
}

const packing = {
  isName: isPackNamePart,
  problemOf: (path: string): string | undefined => {
    const problem = judgePath(path);
    return problem && pathProblems[problem];
  },
  conflictIn: findPathConflict,
};

/** A skill of a folder, with everything that can be said about it: its text, the files beside it, whether it can be packed. */
export function lintSkillFolder(
  { folder, fileName, source, files }: ReadSkillFolder,
  { profile, noAngleBrackets }: LintSkillFolderOptions,
): SkillParse {
  const parse = lintSkill(source, files, { profile, folder, fileName, rules: { noAngleBrackets }, packing });
  if (parse.kind === 'refused') return parse;
  const found = lintAllowedTools(parse.skill, { profile, source, files });
  return { ...parse, diagnostics: [...parse.diagnostics, ...found].toSorted((a, b) => a.line - b.line) };
}
