import type { PackName } from '@skillpack/core';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { RootPaths } from '../root/root-paths.js';
import type { DoctorFinding } from './doctor-report.js';

/** What a diagnosis works with: neither a registry nor a network. */
export type DoctorPorts = Pick<PackManagerPorts, 'archives' | 'store' | 'now' | 'version'>;

/** A root that is looked at, and what a repair of it works with. */
export interface Patient {
  readonly paths: RootPaths;
  readonly ports: DoctorPorts;
}

/** Something that is not as it should be, before anything is done about it. */
export interface Symptom extends Pick<DoctorFinding, 'kind' | 'subject' | 'message'> {
  /** What a person is to do, where no repair does it. */
  readonly advice: string;
  readonly remedy?: Remedy | undefined;
}

/** What a repair does about a symptom. Loses nothing that a person made. */
export interface Remedy {
  /** The rest of a sentence that begins with “it”, without a full stop: `removes them`. */
  readonly does: string;
  /** @returns what was done, as a sentence. @throws `SkillsError` when it could not be done. */
  readonly apply: () => string | Promise<string>;
}

/** What is said of a pack whose skills are in the way of an install of it. */
export function moveAway(skills: readonly string[], name: PackName): string {
  return `Move ${skills.join(' and ')} away, or compare it with the pack: then \`skills install\` brings ${name} back.`;
}
