import { stat } from 'node:fs/promises';
import { packSkills, sha256, type PackDiagnostic } from '@skillpack/cli-dist';
import { SkillsError, type ArchiveFormat, type ArchiveReader, type Digest, type PackManifest } from '@skillpack/core';
import { readArchive } from '../files/read-archive.js';

/** A pack, ready to be published. */
export interface LoadedPack {
  readonly manifest: PackManifest;
  readonly archive: Uint8Array;
  readonly format: ArchiveFormat;
  readonly digest: Digest;
  readonly diagnostics: readonly PackDiagnostic[];
  /** What of the folder was left out. */
  readonly ignored: readonly string[];
}

/** What a pack is loaded with. */
export interface LoadPackPorts {
  readonly archives: ArchiveReader;
}

/** What a folder does not say of itself. */
export interface LoadPackOptions {
  readonly org?: string | undefined;
  readonly version?: string | undefined;
  readonly format?: ArchiveFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The pack at an absolute path: an archive, which is judged whole, or a folder, which is packed.
 *
 * @throws what packing and reading throw; `INVALID_MANIFEST` for an archive without a manifest, `USAGE` for options
 * that only a folder takes.
 */
export async function loadPack(
  path: string,
  { archives }: LoadPackPorts,
  options: LoadPackOptions,
): Promise<LoadedPack> {
  const { org, version, signal } = options;
  if ((await stat(path).catch(() => undefined))?.isFile() !== true) return packSkills(path, options);
  if (org !== undefined || version !== undefined) {
    throw new SkillsError('USAGE', `${path} is an archive and states its own name and version.`, {
      hint: 'Leave --org and --version out, or name the folder it was made of.',
    });
  }
  const archive = readArchive(path);
  const { manifest, format } = await archives.open(archive, { signal });
  if (manifest === undefined) {
    throw new SkillsError(
      'INVALID_MANIFEST',
      `${path} has no manifest.json, so it says neither its name nor its version.`,
      {
        hint: 'Unpack it and make a pack of the folder with `skills pack`.',
        data: { path },
      },
    );
  }
  return { manifest, archive, format, digest: sha256(archive), diagnostics: [], ignored: [] };
}
