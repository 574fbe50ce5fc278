import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSkillRegistry, type Digest, type SkillBackend } from '@skillpack/core';
import { contractSkillFiles, skillRegistryContract, type SkillRegistrySubject } from '@skillpack/core/testing';
import { describe, expect, test } from 'vitest';
import { folderSkills } from '../src/folder-skills.js';
import { packageSkills } from '../src/package-skills.js';

function sha256(data: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;
}

/** The skills of the contract in a folder of a new place, and a backend that reads them. */
async function subject(
  folder: string,
  backendOf: (base: string) => Promise<SkillBackend>,
): Promise<SkillRegistrySubject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'skillpack-contract-')));
  const write = async (path: string, content: string | Uint8Array | undefined): Promise<void> => {
    const file = join(base, folder, path);
    if (content === undefined) {
      await rm(file, { force: true });
      return;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  for (const [path, content] of Object.entries(contractSkillFiles)) await write(path, content);
  return {
    registry: createSkillRegistry(await backendOf(base), { sha256 }),
    write,
    close: async () => rm(base, { recursive: true, force: true }),
  };
}

const watch = { debounce: 20, pollInterval: 20 };

skillRegistryContract(
  () =>
    subject('skills', async (base) =>
      folderSkills([{ path: join(base, 'skills'), scope: 'project' }], performance, { watch }),
    ),
  { describe, test, expect },
  { title: 'folders' },
);

skillRegistryContract(
  () =>
    subject('skills', async (base) =>
      folderSkills([{ path: join(base, 'skills'), scope: 'project' }], performance, {
        watch: { ...watch, mode: 'poll' },
      }),
    ),
  { describe, test, expect },
  { title: 'folders that are looked at again and again' },
);

skillRegistryContract(
  () =>
    subject('skills', async (base) => {
      const cache = { folder: join(base, 'cache'), now: () => Date.now() + 60_000 };
      const roots = [{ path: join(base, 'skills'), scope: 'user' }] as const;
      return folderSkills(roots, { now: () => performance.now(), cache }, { watch });
    }),
  { describe, test, expect },
  { title: 'folders, with a cache' },
);

skillRegistryContract(
  () =>
    subject('node_modules/pdf-skills/skills', async (base) => {
      await writeFile(join(base, 'node_modules/pdf-skills/package.json'), '{"name": "pdf-skills"}');
      return packageSkills('pdf-skills', performance, { from: pathToFileURL(join(base, 'main.js')) });
    }),
  { describe, test, expect },
  { title: 'an npm package' },
);
