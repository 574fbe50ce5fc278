import { sha256 } from '@skillpack/cli-dist';
import {
  describeVersion,
  formatManifest,
  parsePackName,
  SkillsError,
  type Digest,
  type PackManifest,
  type PackRegistry,
  type SkillBackend,
  type SkillEntry,
} from '@skillpack/core';
import {
  createMemoryRegistry,
  makePack,
  skillText,
  type MadePack,
  type PackDescription,
} from '@skillpack/core/testing';
import { createHttpRegistry, remoteSkills, type RemoteSkillsOptions } from '@skillpack/registry-http';
import { createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { expect, onTestFinished } from 'vitest';
import { archivePorts, httpPorts, packPorts } from './ports.js';

export const pdfName = parsePackName('org/pdf');
export const forms = '# Forms\n\nHow a form is filled in.\n';
export const pdf: PackDescription = {
  name: 'org/pdf',
  version: '1.2.0',
  skills: {
    pdf: {
      'SKILL.md': skillText('pdf', 'Reads PDF.', '# PDF\n'),
      'references/forms.md': forms,
      'scripts/run.sh': '#!/bin/sh\n',
    },
    ocr: { 'SKILL.md': skillText('ocr', 'Reads scans.') },
  },
  executable: ['pdf/scripts/run.sh'],
};

export const oldPdf: PackDescription = { name: 'org/pdf', version: '1.0.0' };

/** A registry, and what was asked of it. */
export interface Market {
  readonly stored: ReturnType<typeof createMemoryRegistry>;
  readonly packs: PackRegistry;
  readonly url: string;
  /** Paths of the requests so far. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** A registry behind our server, and what is asked of it over HTTP. */
export async function startMarket(...published: readonly PackDescription[]): Promise<Market> {
  const stored = createMemoryRegistry({ ...archivePorts, sha256 });
  for (const pack of published) await stored.publish(makePack(pack, packPorts));
  const handler = createRegistryServer(stored, archivePorts);
  const asked: string[] = [];
  const server = await serveRegistry((request) => {
    asked.push(new URL(request.url).pathname);
    return handler(request);
  });
  const packs = createHttpRegistry(server.url, { ...httpPorts, delay: async () => undefined });
  const stop = async (): Promise<void> => {
    await packs.close();
    await server.close(0);
  };
  onTestFinished(stop);
  return { stored, packs, url: server.url, asked, stop };
}

export function offer(
  packs: PackRegistry,
  specs: readonly string[],
  options: Partial<RemoteSkillsOptions> = {},
): SkillBackend {
  return remoteSkills(packs, { ...archivePorts, sha256 }, { from: { kind: 'packs', specs }, ...options });
}

export async function only(backend: SkillBackend): Promise<SkillEntry> {
  const { skills } = await backend.list({});
  expect(skills).toHaveLength(1);
  return skills[0]!;
}

export async function textOf(backend: SkillBackend, entry: SkillEntry, path: string): Promise<string> {
  return new TextDecoder().decode(await backend.bytes(entry, path, { maxBytes: 10_000 }));
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (SkillsError.is(error) ? error.code : String(error)),
  );
}

export const blobsOf = ({ asked }: Market): readonly string[] => asked.filter((path) => path.includes('/blobs/'));

/** What is served instead of what is claimed. */
export interface Served {
  readonly archive?: Uint8Array;
  readonly digest?: Digest;
  readonly manifest?: PackManifest;
}

/** A registry that says of one version what its pack says, and serves something else; nothing is checked on the way. */
export function lying(claimed: MadePack, served: Served = {}): PackRegistry {
  const { archive = claimed.archive, digest = claimed.digest, manifest = claimed.manifest } = served;
  const text = new TextEncoder().encode(formatManifest(manifest));
  const archives = [{ format: 'tgz', digest, size: archive.length }] as const;
  const { record } = describeVersion(claimed.manifest, { archives, published: new Date(0) }, sha256);
  const { name, version, description } = claimed.manifest;
  return {
    location: 'memory:',
    getPack: async () => ({
      head: { name, description, tags: { latest: version }, deprecated: null },
      versions: [{ ...record, manifest: sha256(text) }],
    }),
    getBlob: async (request) => (request.digest === digest ? archive : text),
    search: async () => [],
    getRevocations: async () => [],
  };
}
