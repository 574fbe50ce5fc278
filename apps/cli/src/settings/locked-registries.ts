import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockFileName, parseLockFile, quoted, SkillsError, type LockFile, type PackName } from '@skillpack/core';
import { readRegistrySetting } from './read-registry-setting.js';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import type { RegistrySetting } from './settings.js';

/**
 * The registries that a lock file says its packs came from: what is asked where nobody configured one, so that a
 * project that was cloned installs as it is. They are the project's choice, and get no token for it.
 *
 * @returns a function from a pack to its registry, `undefined` for one that is not locked. It throws `INVALID_LOCK`.
 */
export function lockedRegistries(baseDir: string): (name: PackName) => RegistrySetting | undefined {
  const path = join(baseDir, lockFileName);
  let lock: LockFile | undefined;
  const read = (): LockFile => {
    const json = readTextIfPresent(path);
    return json === undefined ? { packs: {} } : parseLockFile(json, path);
  };
  return (name) => {
    lock ??= read();
    const entry = lock.packs[name];
    if (entry?.source !== 'registry') return undefined;
    const named = `The registry of ${name} in ${path}`;
    if (/^file:/iu.test(entry.registry)) {
      return { kind: 'folder', location: folderOf(entry.registry, named), origin: 'project' };
    }
    return readRegistrySetting(entry.registry, { origin: 'project', name: named, base: baseDir, home: baseDir });
  };
}

// On Windows a file: URL with a host opens a connection to it, and signs in.
function folderOf(url: string, named: string): string {
  try {
    if (URL.canParse(url) && new URL(url).host === '') return resolve(fileURLToPath(url));
  } catch (cause) {
    throw unusable(url, named, cause);
  }
  throw unusable(url, named);
}

function unusable(url: string, named: string, cause?: unknown): SkillsError {
  return new SkillsError('INVALID_LOCK', `${named} is ${quoted(url)}, which is no folder of this machine.`, {
    hint: 'Name the registry by --registry, SKILLS_REGISTRY or skillpack.json.',
    cause,
  });
}
