import { isTagName, isVersionRange, parsePackSpec, quoted, SkillsError, type PackName } from '@skillpack/core';
import { readPath } from '../lock/lock-entry.js';
import type { GoverningFiles } from '../lock/root-state.js';

/** Where a wanted pack is to come from. */
export type WantedSource =
  /** `range`: a version range or a tag; `undefined` for whatever is newest. */
  | { readonly kind: 'registry'; readonly range: string | undefined }
  /** `path` is absolute. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** A pack that `skillpack.json`, or the lock file alone, wants. */
export interface RecordedWant {
  readonly name: PackName;
  readonly source: WantedSource;
  /** As it stands there. */
  readonly written: string;
}

/**
 * What the governing files of a root want: the packs of `skillpack.json`, and those that were installed without being
 * saved there, which only the lock file knows.
 *
 * @throws `INVALID_PROJECT` for a pack that is neither a range, a tag, a path nor a URL.
 */
export function recordedWants(files: GoverningFiles, baseDir: string): readonly RecordedWant[] {
  const saved = Object.entries(files.project?.packs ?? {}).map(([key, written]) => ({
    name: key as PackName, // a key of a record of pack names
    source: sourceOfWritten(key, written, baseDir),
    written,
  }));
  const names = new Set(saved.map(({ name }) => name));
  const unsaved = Object.entries(files.lock?.packs ?? {}).flatMap(([key, entry]) => {
    const name = key as PackName; // a key of a record of pack names
    if (entry.range === undefined || names.has(name)) return [];
    return [{ name, source: sourceOfWritten(key, entry.range, baseDir), written: entry.range }];
  });
  return [...saved, ...unsaved];
}

function sourceOfWritten(name: string, written: string, baseDir: string): WantedSource {
  if (isVersionRange(written) || isTagName(written)) return { kind: 'registry', range: written };
  if (/^(?:\.{1,2}(?:\/|$)|\/|[A-Za-z]:[\\/])/u.test(written))
    return { kind: 'path', path: readPath(written, baseDir) };
  if (/^https?:/iu.test(written)) {
    const spec = parsePackSpec(written);
    if (spec.kind === 'url') return spec;
  }
  throw new SkillsError(
    'INVALID_PROJECT',
    `${name} is wanted as ${quoted(written)}, which is neither a range, a tag, a path nor a URL.`,
    {
      hint: 'Write it as ^1.2.0, as a tag, as ./folder, ./pack.tgz or as https://host/pack.tgz.',
      data: { name, written },
    },
  );
}
