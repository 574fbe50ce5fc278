import type { Sha256 } from '../digest/digest.js';
import { treeDigestOf, type TreeFile } from '../digest/tree-digest.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { checkAborted } from '../errors/until-aborted.js';
import type { SkillEntry } from './skill-entry.js';
import type { SkillMeasure } from './skill-measure.js';
import type { SkillRegistry } from './skill-registry.js';

/** What skills are measured with. */
export interface MeasurePorts {
  readonly registry: Pick<SkillRegistry, 'files' | 'bytes'>;
  readonly sha256: Sha256;
}

/** How much is measured. */
export interface MeasureOptions {
  /** @default nobody cancels */
  readonly signal?: AbortSignal | undefined;
  /** A skill with as many files is refused: whoever lists no more leaves others out. @default 5000 */
  readonly maxFiles?: number | undefined;
  /** Bytes of all files together. @default 67108864, 64 MiB */
  readonly maxBytes?: number | undefined;
}

// What a line of the digest could not be told from.
// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const controlCharacter = /[\u0000-\u001F\u007F]/u;

/**
 * Reads every file that a registry lists of a skill, one after another.
 *
 * @throws `FILE_TOO_LARGE` for more than is measured; `INVALID_SKILL` for a path with control characters; what the
 * registry throws, such as `FILE_NOT_FOUND` where a file goes meanwhile.
 */
export async function measureSkill(
  skill: SkillEntry,
  { registry, sha256 }: MeasurePorts,
  { signal = new AbortController().signal, maxFiles = 5_000, maxBytes = 64 * 1024 * 1024 }: MeasureOptions = {},
): Promise<SkillMeasure> {
  const listed = await registry.files(skill, { signal });
  if (listed.length >= maxFiles) {
    throw tooLarge(skill, `${listed.length} files or more, and fewer than ${maxFiles} are measured`);
  }
  const files: TreeFile[] = [];
  let left = maxBytes;
  for (const { path, executable } of listed) {
    if (controlCharacter.test(path))
      throw new SkillsError(
        'INVALID_SKILL',
        `The file ${quoted(path)} of the skill ${quoted(skill.name)} has a name that nobody could write down.`,
      );
    checkAborted(signal, 'The measuring');
    const bytes = await registry.bytes(skill, path, { maxBytes: left, signal });
    left -= bytes.length;
    if (left < 0) throw tooLarge(skill, `more than ${maxBytes} bytes, which is the limit`);
    files.push({ path, size: bytes.length, digest: sha256(bytes), executable });
  }
  return { digest: treeDigestOf(files, sha256), files };
}

function tooLarge({ name }: SkillEntry, what: string): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `The skill ${quoted(name)} cannot be measured: it has ${what}.`, {
    hint: 'What a skill does not need at work belongs elsewhere.',
  });
}
