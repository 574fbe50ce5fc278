import { sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry, type SkillRegistry } from '@skillpack/core';
import { folderSkills, type ScanPorts } from '@skillpack/registry-fs';
import { findSkillFolders } from '../author/find-skill-folders.js';
import type { Reporter } from '../frame/reporter.js';

/** What skills are read with, and who is told of those that cannot be. */
export interface CataloguePorts {
  readonly scan: ScanPorts;
  readonly reporter: Pick<Reporter, 'warn' | 'detail'>;
  readonly signal: AbortSignal;
}

/** The skills that trials choose from. */
export interface EvalCatalogue {
  readonly registry: SkillRegistry;
  /** The folders that they lie in, absolute. */
  readonly folders: readonly string[];
}

/**
 * The skills in some folders, and no others: what is installed on this machine, and what comes with the command, would
 * answer in their place. Of one name, the first counts.
 *
 * @throws what the folders throw that cannot be read.
 */
export async function openCatalogue(folders: readonly string[], ports: CataloguePorts): Promise<EvalCatalogue> {
  const { scan, reporter, signal } = ports;
  const roots = folders.map((path) => ({ path, scope: 'other', named: true }) as const);
  const registry = createSkillRegistry(folderSkills(roots, scan), { sha256 });
  const { problems } = await registry.index({ signal });
  for (const { code, location, message } of problems) {
    if (code === 'ignored') reporter.detail(`${location}: ${message}`);
    else reporter.warn(`${location}: ${message}`);
  }
  return { registry, folders };
}

/** The folders of all skills below some folders. @throws `FILE_NOT_FOUND`, `SKILL_NOT_FOUND`. */
export async function allSkillFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) found.push(...(await findSkillFolders(folder)));
  return found;
}
