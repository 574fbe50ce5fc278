/*
 * A package manager of one's own: pack a folder, publish it into a registry that is a folder, install it into a
 * project, verify it. `node examples/install-a-pack.ts <skill folder>`, with Node 22.19 or newer, after
 * `npx -y pnpm@12 build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createArchiveReader,
  createArchiveWriter,
  describeMachine,
  installPacks,
  openStore,
  packSkills,
  projectRoot,
  verifyRoot,
  type PackManagerPorts,
} from '@skillpack/cli-dist';
import { parsePackSpec } from '@skillpack/core';
import { downloadArchive, systemHttpPorts } from '@skillpack/registry-http';
import { createFolderRegistry } from '@skillpack/registry-http/server';

const source = process.argv[2] ?? 'skills-builtin/table';
const folder = await mkdtemp(join(tmpdir(), 'skillpack-example-'));
try {
  const archives = createArchiveReader();
  const writer = createArchiveWriter();
  const registry = createFolderRegistry(join(folder, 'registry'), { archives, writer, now: () => new Date() });

  const packed = await packSkills(source, { format: 'tgz' });
  const published = await registry.publish({ archive: packed.archive, format: 'tgz' });
  console.log(`published ${published.name} ${published.record.version} (${published.record.treeDigest})`);

  const root = projectRoot(join(folder, 'project'));
  const ports: PackManagerPorts = {
    registryFor: () => registry,
    download: (url, options) => downloadArchive(url, systemHttpPorts, options),
    archives,
    store: openStore(join(folder, 'cache')),
    machine: describeMachine(process),
    now: () => new Date(),
    version: 'example',
  };
  const report = await installPacks({ root, specs: [parsePackSpec(published.name)] }, ports, {});
  for (const change of report.changes) console.log(`${change.kind} ${change.name} ${change.version}`);

  const { ok } = await verifyRoot({ root });
  console.log(ok ? 'every file is as it was published' : 'something differs');
} finally {
  await rm(folder, { recursive: true });
}
