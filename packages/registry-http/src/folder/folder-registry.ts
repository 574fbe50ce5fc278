import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  checkAborted,
  isTagName,
  SkillsError,
  type PackCurator,
  type PackDocument,
  type PackName,
  type PackPublisher,
  type PackRegistry,
  type VersionReference,
} from '@skillpack/core';
import { buildFolder, type BuildFolderOptions, type FolderBuild } from './build-folder.js';
import { deriveDocuments, type FolderIdentity } from './derive-documents.js';
import type { FolderContext, FolderRegistryPorts } from './folder-context.js';
import { createFolderFiles, type FolderFiles } from './folder-files.js';
import { createFolderReader } from './folder-reader.js';
import { appendToLog, type PackEvent } from './pack-log.js';
import { publishToFolder } from './publish-to-folder.js';
import { readIndex, rebuildPack } from './rebuild-pack.js';

/** How a folder registry works. */
export interface FolderRegistryOptions {
  /**
   * Whether every change also makes the derived documents anew (registry.json, search, discovery). Without it, call
   * `build` after the last of many changes.
   * @default true
   */
  readonly derive?: boolean | undefined;
  /** For a new registry.json. @default the folder's name */
  readonly id?: string | undefined;
  /** For a new registry.json. @default the id */
  readonly name?: string | undefined;
}

/** A registry that is a folder of static files, as any web server can serve it. */
export interface FolderRegistry extends PackRegistry, PackPublisher, PackCurator {
  /**
   * Makes every document anew from the versions and their logs, and finishes what a publisher that was stopped had
   * begun. Safe at any time, beside publishers too.
   */
  build(options?: BuildFolderOptions): Promise<FolderBuild>;
  /** Its files, for a server to serve. */
  readonly files: FolderFiles;
}

/**
 * The registry in a folder. Any number of processes may publish into it at once: a version's file is created only if
 * absent, a pack's log is numbered files created only if absent, and everything else is made from these.
 */
export function createFolderRegistry(
  folder: string,
  ports: FolderRegistryPorts,
  options: FolderRegistryOptions = {},
): FolderRegistry {
  const files = ports.files ?? createFolderFiles(folder);
  const context: FolderContext = {
    archives: ports.archives,
    writer: ports.writer,
    now: () => ports.now(),
    files,
    memory: new Map(),
  };
  const id = options.id ?? (basename(resolve(folder)) || 'registry');
  const identity: FolderIdentity = { id, name: options.name ?? id };
  const derive = coalesced(() => deriveDocuments(context, identity));

  const change = async (name: PackName, event: PackEvent): Promise<PackDocument> => {
    const before = await readIndex(name, files);
    if ('version' in event && !before.versions.some(({ version }) => version === event.version)) {
      throw new SkillsError('VERSION_NOT_FOUND', `${name} has no version ${event.version}.`, {
        data: { name, version: event.version },
      });
    }
    await appendToLog(name, event, files);
    const document = (await rebuildPack(name, files)) ?? before;
    if (options.derive ?? true) await derive();
    return document;
  };

  return {
    ...createFolderReader(pathToFileURL(`${resolve(folder)}/`).href, context),
    files,
    build: (buildOptions) => buildFolder(context, identity, buildOptions),
    async publish(request, { signal } = {}) {
      checkAborted(signal);
      if (request.tag !== undefined) checkTag(request.tag);
      const published = await publishToFolder(request, context, { signal });
      if (options.derive ?? true) await derive();
      return published;
    },
    yank: ({ name, version }: VersionReference, reason) => change(name, { kind: 'yank', version, reason }),
    deprecate: (name, reason) => change(name, { kind: 'deprecate', reason }),
    async tag({ name, version }, tag) {
      checkTag(tag);
      return change(name, { kind: 'tag', version, tag });
    },
  };
}

/** Runs an action for many callers: whoever calls while it runs shares the run that begins after it. */
function coalesced<Value>(action: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const run = action();
      running = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}

function checkTag(tag: string): void {
  if (isTagName(tag)) return;
  throw new SkillsError('USAGE', `“${tag}” is not a tag.`, {
    hint: 'A tag is 1 to 64 of a-z, 0-9, “.”, “_” and “-”, begins with a letter and is no version range.',
  });
}
