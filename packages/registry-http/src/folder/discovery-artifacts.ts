import {
  SkillsError,
  splitPackName,
  type ArchiveInput,
  type DiscoverySkill,
  type ManifestSkill,
  type PackManifest,
  type VersionRecord,
} from '@skillpack/core';
import { sha256 } from '../sha256.js';
import { readBlob } from './folder-blobs.js';
import type { FolderContext } from './folder-context.js';

/** The folder of everything that is offered to discovery clients, relative to a registry's base. */
export const discoveryFolder = '.well-known/agent-skills';

/** Where the artifacts of one version lie, relative to {@link discoveryFolder}. */
export function artifactFolder(manifest: PackManifest): string {
  const { org, base } = splitPackName(manifest.name);
  return `${org}/${base}/${manifest.version}`;
}

/**
 * Offers the skills of one version to discovery clients: writes the artifacts that are not there yet, and describes
 * all. A skill that is a SKILL.md alone is offered as such, any other as an archive of its own with SKILL.md at the root.
 */
export async function offerSkills(
  manifest: PackManifest,
  record: VersionRecord,
  context: FolderContext,
): Promise<readonly DiscoverySkill[]> {
  let contents: ReadonlyMap<string, Uint8Array> | undefined;
  const offered: DiscoverySkill[] = [];
  for (const skill of manifest.skills) {
    const form = formOf(skill, manifest);
    const location = `${artifactFolder(manifest)}/${skill.name}${endings[form]}`;
    const path = `${discoveryFolder}/${location}`;
    let bytes = await context.files.read(path);
    if (bytes === undefined) {
      contents ??= await readContents(record, context);
      const inputs = filesOf(skill, manifest, contents);
      bytes = form === 'text' ? (inputs[0]?.bytes ?? new Uint8Array()) : context.writer.write(inputs, form);
      // Another process, perhaps of another version, may have been faster: what lies there counts.
      if (!(await context.files.create(path, bytes))) bytes = (await context.files.read(path)) ?? bytes;
    }
    offered.push({
      name: skill.name,
      type: form === 'text' ? 'skill-md' : 'archive',
      description: skill.description,
      url: location.split('/').map(encodeURIComponent).join('/'),
      digest: sha256(bytes),
    });
  }
  return offered;
}

const endings = { text: '/SKILL.md', tgz: '.tar.gz', zip: '.zip' } as const;

/**
 * In which form a skill is offered. A tar needs PAX headers for names that are not of ASCII or longer than its fields,
 * and a popular client passes over them, so such a skill is offered as a zip.
 */
function formOf(skill: ManifestSkill, manifest: PackManifest): keyof typeof endings {
  const paths = manifest.files.flatMap(({ path }) =>
    path.startsWith(`${skill.path}/`) ? path.slice(skill.path.length + 1) : [],
  );
  if (paths.length === 1) return 'text';
  return paths.every((path) => /^[\u0020-\u007E]{1,100}$/u.test(path)) ? 'tgz' : 'zip';
}

function filesOf(
  skill: ManifestSkill,
  manifest: PackManifest,
  contents: ReadonlyMap<string, Uint8Array>,
): ArchiveInput[] {
  return manifest.files
    .filter(({ path }) => path.startsWith(`${skill.path}/`))
    .map(({ path, executable }) => ({
      path: path.slice(skill.path.length + 1),
      bytes: contents.get(path) ?? new Uint8Array(),
      executable,
    }));
}

async function readContents(record: VersionRecord, context: FolderContext): Promise<ReadonlyMap<string, Uint8Array>> {
  const [archive] = record.archives;
  if (archive === undefined) throw new SkillsError('INVALID_INDEX', `Version ${record.version} has no archive.`);
  const opened = await context.archives.open(await readBlob(archive.digest, archive.size, context.files));
  if (opened.treeDigest !== record.treeDigest) {
    throw new SkillsError(
      'INTEGRITY_MISMATCH',
      `The archive of version ${record.version} has the tree digest ${opened.treeDigest}, its record ${record.treeDigest}.`,
    );
  }
  const contents = new Map<string, Uint8Array>();
  for await (const { file, chunks } of opened.contents()) {
    const pieces: Uint8Array[] = [];
    // A chunk may be reused by the reader after the next one is asked for.
    for await (const chunk of chunks) pieces.push(new Uint8Array(chunk));
    contents.set(file.path, Buffer.concat(pieces));
  }
  return contents;
}
