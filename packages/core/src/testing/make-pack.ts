import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { manifestFileName } from '../pack/file-names.js';
import { formatManifest, type PackManifest, type PackRequirements } from '../pack/manifest.js';
import type { ArchiveFormat, ArchiveInput, ArchiveWriter } from '../pack/pack-archive.js';
import { parsePackName } from '../pack/pack-name.js';
import { comparePaths } from '../digest/compare-paths.js';
import { treeDigestOf } from '../digest/tree-digest.js';

/** A pack, as a test describes it. */
export interface PackDescription {
  /** `org/name`. */
  readonly name: string;
  readonly version: string;
  /** Skill to path to text or bytes. @default one prose-only skill, named as the pack */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>> | undefined;
  /** Paths, with their skill's folder, that are executable. @default [] */
  readonly executable?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly requires?: PackRequirements | undefined;
  /** @default 'tgz' */
  readonly format?: ArchiveFormat | undefined;
}

/** A pack made for a test. */
export interface MadePack {
  readonly archive: Uint8Array;
  readonly format: ArchiveFormat;
  readonly digest: Digest;
  readonly manifest: PackManifest;
  /** The pack's files without its manifest, by path in byte order. */
  readonly files: readonly ArchiveInput[];
}

/** What packs are made with. */
export interface MakePackPorts {
  readonly writer: ArchiveWriter;
  readonly sha256: Sha256;
}

const encoder = new TextEncoder();

/** Makes a pack of a few skills, with the manifest that belongs to it. */
export function makePack(pack: PackDescription, ports: MakePackPorts): MadePack {
  const name = parsePackName(pack.name);
  const base = name.slice(name.indexOf('/') + 1);
  const skills = pack.skills ?? { [base]: { 'SKILL.md': skillText(base, `What ${pack.name} does.`) } };
  const files = Object.entries(skills).flatMap(([skill, contents]) =>
    Object.entries(contents).map(([path, content]) => ({
      path: `${skill}/${path}`,
      bytes: typeof content === 'string' ? encoder.encode(content) : content,
      executable: pack.executable?.includes(`${skill}/${path}`) ?? false,
    })),
  );
  files.sort((left, right) => comparePaths(left.path, right.path));
  const listed = files.map(({ path, bytes, executable }) => ({
    path,
    size: bytes.length,
    digest: ports.sha256(bytes),
    executable,
  }));
  const manifest: PackManifest = {
    name,
    version: pack.version,
    description: pack.description ?? `What ${pack.name} does.`,
    keywords: pack.keywords ?? [],
    skills: Object.keys(skills).map((skill) => ({ name: skill, path: skill, description: `What ${skill} does.` })),
    dependencies: pack.dependencies ?? {},
    requires: pack.requires ?? {},
    files: listed,
    treeDigest: treeDigestOf(listed, ports.sha256),
  };
  const format = pack.format ?? 'tgz';
  const manifestFile = { path: manifestFileName, bytes: encoder.encode(formatManifest(manifest)), executable: false };
  const archive = ports.writer.write([manifestFile, ...files], format);
  return { archive, format, digest: ports.sha256(archive), manifest, files };
}

/** The text of a SKILL.md. */
export function skillText(name: string, description: string, body: string = `# ${name}\n`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}
