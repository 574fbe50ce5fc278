import { formatLockFile, withProjectPacks, type PackName } from '@skillpack/core';
import { textDigest } from '../apply/carry-out.js';
import type { TextChange } from '../apply/journal.js';
import { lockEntryOf } from '../lock/lock-entry.js';
import type { GoverningFiles } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';
import type { ResolvedWants } from './resolve-wants.js';

/** How the governing files are written. */
export interface GoverningTextOptions {
  readonly frozen: boolean;
  readonly save: boolean;
}

/**
 * The texts that the governing files get, the lock file last; none for a file that says the same already, however it is
 * laid out.
 */
export function installedTexts(
  { resolution, written, explicit }: ResolvedWants,
  { files, paths }: { readonly files: GoverningFiles; readonly paths: RootPaths },
  options: GoverningTextOptions,
): readonly TextChange[] {
  if (options.frozen) return [];
  const packs = Object.fromEntries(
    [...resolution].map(([name, candidate]) => [
      name,
      lockEntryOf(candidate, { range: written.get(name), baseDir: paths.baseDir }),
    ]),
  );
  const saved = { ...files.project?.packs } as Record<PackName, string>;
  if (options.save) for (const name of explicit) saved[name] = written.get(name) ?? '*';
  return governingTexts({ packs, saved }, { files, paths });
}

/** What the governing files are to say. */
export interface GoverningContent {
  readonly packs: Parameters<typeof formatLockFile>[0]['packs'];
  readonly saved: Readonly<Record<PackName, string>>;
}

/** The texts that make the governing files say this; none for one that does. */
export function governingTexts(
  { packs, saved }: GoverningContent,
  { files, paths }: { readonly files: GoverningFiles; readonly paths: RootPaths },
): readonly TextChange[] {
  const changes: TextChange[] = [];
  if (JSON.stringify(sorted(saved)) !== JSON.stringify(sorted(files.project?.packs ?? {}))) {
    const after = withProjectPacks(files.projectText, saved, paths.projectFile);
    changes.push({ file: 'project', before: textDigest(files.projectText), after });
  }
  const after = formatLockFile({ packs });
  const before = files.lock === undefined ? undefined : formatLockFile(files.lock);
  const nothing = before === undefined && Object.keys(packs).length === 0;
  if (after !== before && !nothing) changes.push({ file: 'lock', before: textDigest(files.lockText), after });
  return changes;
}

function sorted(packs: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(packs).toSorted(([left], [right]) => (left < right ? -1 : 1));
}
