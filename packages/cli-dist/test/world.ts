import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePackSpec, SkillsError, type PackName, type PackRegistry } from '@skillpack/core';
import {
  createMemoryRegistry,
  makePack,
  type MadePack,
  type MemoryRegistry,
  skillText,
  type PackDescription,
} from '@skillpack/core/testing';
import { onTestFinished } from 'vitest';
import { createArchiveReader } from '../src/archive/archive-reader.js';
import { createArchiveWriter } from '../src/archive/archive-writer.js';
import { sha256 } from '../src/archive/sha256.js';
import { installPacks } from '../src/install/install-packs.js';
import type { InstallOptions } from '../src/install/install-options.js';
import type { InstallReport } from '../src/install/install-report.js';
import type { PackManagerPorts } from '../src/install/pack-manager-ports.js';
import { projectRoot, type InstallRoot } from '../src/root/install-root.js';
import { openStore } from '../src/store/disk-store.js';

const packPorts = { writer: createArchiveWriter(), sha256 };

/** A project on the disk, a registry in memory, and everything an install works with. */
export interface World {
  /** A folder of its own, removed after the test. */
  readonly dir: string;
  readonly project: string;
  readonly skills: string;
  readonly root: InstallRoot;
  readonly registry: MemoryRegistry;
  readonly ports: PackManagerPorts;
  /** Publishes a pack. */
  offer(pack: PackDescription, tag?: string): Promise<MadePack>;
  install(specs: readonly string[], options?: InstallOptions): Promise<InstallReport>;
  installWith(ports: PackManagerPorts, specs: readonly string[], options?: InstallOptions): Promise<InstallReport>;
  /** Every file below a folder of the project, with its bytes as text; links as `-> target`. */
  tree(folder?: string): Record<string, string>;
  read(path: string): string;
  lock(): Record<string, { version: string; range?: string; skills: string[]; treeDigest: string }>;
}

/** A folder for one test. */
export function temporaryFolder(parent = tmpdir()): string {
  const dir = mkdtempSync(join(parent, 'skillpack-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Makes a world. */
export function makeWorld(overrides: Partial<PackManagerPorts> = {}): World {
  const dir = temporaryFolder();
  const project = join(dir, 'project');
  const root = projectRoot(project);
  const registry = createMemoryRegistry({
    archives: createArchiveReader(),
    sha256,
    now: () => new Date('2026-11-21T00:00:00Z'),
  });
  const ports: PackManagerPorts = {
    registryFor: (): PackRegistry => registry,
    download: () => Promise.reject(new Error('no download in this test')),
    archives: createArchiveReader(),
    store: openStore(join(dir, 'cache')),
    machine: { platform: 'linux', hasProgram: () => true, hasVariable: () => true },
    now: () => new Date('2026-11-22T10:00:00Z'),
    version: '1.2.3',
    ...overrides,
  };
  const installWith: World['installWith'] = (used, specs, options = {}) =>
    installPacks({ root, specs: specs.map((spec) => parsePackSpec(spec)), from: dir }, used, options);
  return {
    dir,
    project,
    skills: root.skillsDir,
    root,
    registry,
    ports,
    offer: async (description, tag) => {
      const pack = makePack(description, packPorts);
      await registry.publish({ archive: pack.archive, format: pack.format, tag });
      return pack;
    },
    install: (specs, options = {}) => installWith(ports, specs, options),
    installWith,
    tree: (folder = '.') => readTree(join(project, folder)),
    read: (path) => readFileSync(join(project, path), 'utf8'),
    lock: () => {
      const { packs } = JSON.parse(readFileSync(join(project, 'skillpack-lock.json'), 'utf8')) as {
        packs: ReturnType<World['lock']>;
      };
      return packs;
    },
  };
}

/** Makes a pack without publishing it. */
export function packed(description: PackDescription): MadePack {
  return makePack(description, packPorts);
}

/** A pack name that a test is sure of. */
export function named(name: string): PackName {
  return name as PackName;
}

const largest = 16 * 1024 * 1024;

/** Every file below a folder, with its text; links as `-> target`, executables with a `*` behind their names. */
export function readTree(dir: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) Object.assign(found, readTree(path, `${prefix}${entry.name}/`));
    else if (entry.isFile()) {
      const { mode, size } = statSync(path);
      const star = (mode & 0o100) === 0 ? '' : '*';
      found[`${prefix}${entry.name}${star}`] = size > largest ? `${size} bytes` : readFileSync(path, 'utf8');
    } else found[`${prefix}${entry.name}`] = 'not a file';
  }
  return found;
}

/** The files of a skill of prose. */
export function skill(name: string, description = `What ${name} does.`): Record<string, string> {
  return { 'SKILL.md': skillText(name, description) };
}

/** The error that something foreseen ends with. */
export async function refusal(promise: Promise<unknown>): Promise<SkillsError> {
  try {
    await promise;
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
