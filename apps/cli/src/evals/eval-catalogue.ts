import { sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry, type SkillRegistry } from '@skillpack/core';
import { folderSkills, type ScanPorts } from '@skillpack/registry-fs';
import { findSkillFolders } from '../author/find-skill-folders.js';
import type { Reporter } from '../frame/reporter.js';
import type { SkillPlace } from './eval-model-ports.js';
import { stageSkills } from './stage-skills.js';

/** What skills are read with, and who is told of those that cannot be. */
export interface CataloguePorts {
  readonly scan: ScanPorts;
  readonly reporter: Pick<Reporter, 'warn' | 'detail'>;
  readonly signal: AbortSignal;
}

/** The skills that trials choose from, without their cases. */
export interface EvalCatalogue extends AsyncDisposable {
  readonly registry: SkillRegistry;
  /** Where they are found, and where they lie. */
  readonly places: readonly SkillPlace[];
}

/**
 * The skills in some folders, and no others: what is installed on this machine, and what comes with the command, would
 * answer in their place. Of one name, the first counts. Disposing of it removes what was copied.
 *
 * @param originals absolute.
 * @throws `IO_ERROR`; what the folders throw that cannot be read.
 */
export async function openCatalogue(originals: readonly string[], ports: CataloguePorts): Promise<EvalCatalogue> {
  const { scan, reporter, signal } = ports;
  const { folders, ...staged } = await stageSkills(originals);
  const roots = folders.map((path) => ({ path, scope: 'other', named: true }) as const);
  const registry = createSkillRegistry(folderSkills(roots, scan), { sha256 });
  try {
    const { problems } = await registry.index({ signal });
    for (const { code, location, message } of problems) {
      if (code === 'ignored') reporter.detail(`${location}: ${message}`);
      else reporter.warn(`${location}: ${message}`);
    }
  } catch (error) {
    await staged[Symbol.asyncDispose]();
    throw error;
  }
  const places = folders.map((folder, index) => ({ folder, original: originals[index] ?? folder }));
  return { ...staged, registry, places };
}

/** The folders of all skills below some folders. @throws `FILE_NOT_FOUND`, `SKILL_NOT_FOUND`. */
export async function allSkillFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) found.push(...(await findSkillFolders(folder)));
  return found;
}
