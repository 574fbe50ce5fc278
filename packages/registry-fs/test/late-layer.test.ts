import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSkillRegistry,
  layerRegistries,
  SkillsError,
  type Digest,
  type RegistryChange,
  type SkillBackend,
} from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { folderSkills } from '../src/folder-skills.js';

function sha256(data: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;
}

async function putSkill(root: string, name: string): Promise<void> {
  await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: x\n---\n`);
}

/** The skills of a folder, such as one of a drive that is not always there: without it, nothing can be read. */
function driveSkills(root: string): SkillBackend {
  const backend = folderSkills([{ path: root, scope: 'user' }], performance, {
    watch: { debounce: 20, pollInterval: 20 },
  });
  return {
    ...backend,
    kind: 'drive',
    list: async (options) => {
      if (existsSync(root)) return backend.list(options);
      throw new SkillsError('IO_ERROR', 'The drive is not there.');
    },
    files: async (...given) => backend.files(...given),
    bytes: async (...given) => backend.bytes(...given),
  };
}

test('AGIO-17: a folder that could not be read when somebody subscribed to the layers is followed once it is there', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'skillpack-late-')));
  onTestFinished(async () => rm(base, { recursive: true, force: true }));
  const [project, drive] = [join(base, 'project'), join(base, 'drive/skills')];
  await putSkill(project, 'ours');
  const layers = [folderSkills([{ path: project, scope: 'other' }], performance), driveSkills(drive)];
  const registry = layerRegistries(
    layers.map((backend) => ({ registry: createSkillRegistry(backend, { sha256 }) })),
    { sha256 },
  );
  const told: RegistryChange[] = [];
  const subscription = await registry.subscribe((change) => void told.push(change));
  onTestFinished(async () => subscription[Symbol.asyncDispose]());
  expect((await registry.index()).problems).toMatchObject([{ code: 'unreadable', location: 'drive' }]);
  const wait = { timeout: 20_000 };
  await putSkill(drive, 'pdf');
  await expect.poll(() => told.flatMap(({ added }) => added), wait).toEqual(['pdf']);
  expect((await registry.index()).problems).toEqual([]);
  await putSkill(drive, 'notes');
  await expect.poll(() => told.flatMap(({ added }) => added), wait).toEqual(['pdf', 'notes']);
  await rm(join(drive, 'pdf'), { recursive: true });
  await expect.poll(() => told.flatMap(({ removed }) => removed), wait).toEqual(['pdf']);
});
