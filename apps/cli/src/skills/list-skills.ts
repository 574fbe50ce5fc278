import type { SkillScope } from '@skillpack/core';
import type { FoundSkill, IgnoredFolder, ScannedRoot, ScanReport } from '@skillpack/registry-fs';
import { writtenDescription } from './written-text.js';

/** A skill in a list. */
export interface ListedSkill {
  readonly name: string;
  /** As its file has it; `null` for a skill without one, which no model is offered. */
  readonly description: string | null;
  /** The pack that brought it; `null` for one that no pack brought. */
  readonly pack: string | null;
  /** Of the pack; of a skill that no pack brought, the one in its front matter, or `null`. */
  readonly version: string | null;
  readonly path: string;
  /** Where the skill lies that its name means; `null` for that one itself. */
  readonly shadowedBy: { readonly scope: SkillScope; readonly path: string } | null;
}

/** A root in a list. */
export interface ListedRoot extends Pick<ScannedRoot, 'path' | 'scope' | 'state'> {
  readonly skills: readonly ListedSkill[];
}

/** What is here. */
export interface SkillList {
  readonly roots: readonly ListedRoot[];
  readonly ignored: readonly Pick<IgnoredFolder, 'path' | 'scope' | 'reason' | 'message'>[];
}

/** A scan as a list: by root, each skill with what shadows it. */
export function listSkills(scan: ScanReport): SkillList {
  const offered = new Set(scan.skills);
  // A name composed in two ways (NFC, NFD) looks the same.
  const keyOf = ({ name }: FoundSkill): string => name.normalize('NFC');
  const winners =
    offered.size === scan.found.length ? undefined : new Map(scan.skills.map((skill) => [keyOf(skill), skill]));
  const winnerOf = (skill: FoundSkill): FoundSkill | undefined =>
    offered.has(skill) ? skill : winners?.get(keyOf(skill));
  return {
    roots: scan.roots.map(({ path, scope, state }) => ({
      path,
      scope,
      state,
      skills: scan.found.filter(({ root }) => root === path).map((skill) => listed(skill, winnerOf(skill))),
    })),
    ignored: scan.ignored.map(({ path, scope, reason, message }) => ({ path, scope, reason, message })),
  };
}

function listed(skill: FoundSkill, winner: FoundSkill | undefined): ListedSkill {
  const itself = winner === undefined || winner.path === skill.path;
  return {
    name: skill.name,
    description: writtenDescription(skill.head) ?? null,
    pack: skill.pack ?? null,
    version: skill.packVersion ?? skill.head.version ?? null,
    path: skill.path,
    shadowedBy: itself ? null : { scope: winner.scope, path: winner.path },
  };
}
