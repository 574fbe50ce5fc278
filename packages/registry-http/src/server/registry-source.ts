import {
  defaultArchiveLimits,
  digestHex,
  formatPackDocument,
  formatRegistryInfo,
  formatRevocations,
  formatVersionRecord,
  isDigest,
  parsePackName,
  SkillsError,
  type PackRegistry,
  type RegistryInfo,
} from '@skillpack/core';
import { sha256 } from '../sha256.js';
import type { StaticFile, StaticSource } from './static-file.js';

/** The static files of any registry, made of what it answers. It has no catalogue and no discovery index. */
export function registrySource(registry: PackRegistry, info: RegistryInfo): StaticSource {
  return async (path) => {
    try {
      const content = await contentOf(path, registry, info);
      return content === undefined ? undefined : fileOf(content);
    } catch (error) {
      if (SkillsError.isKind(error, 'not-found')) return undefined;
      throw error;
    }
  };
}

async function contentOf(
  path: string,
  registry: PackRegistry,
  info: RegistryInfo,
): Promise<Uint8Array | string | undefined> {
  if (path === 'registry.json') return formatRegistryInfo(info);
  if (path === 'revocations/latest.json') return formatRevocations(await registry.getRevocations());
  const [folder = '', org = '', base = '', version = ''] = path.split('/');
  if (folder === 'packs') return formatPackDocument(await registry.getPack(parsePackName(packOf(org, base))));
  if (folder === 'versions') {
    const { versions } = await registry.getPack(parsePackName(`${org}/${base}`));
    const record = versions.find((other) => `${other.version}.json` === version);
    // The version's own file never changes, so it says nothing of what can.
    return record === undefined ? undefined : formatVersionRecord({ ...record, yanked: null });
  }
  const digest = `sha256:${base}`;
  if (folder !== 'blobs' || !isDigest(digest)) return undefined;
  return registry.getBlob({ digest, size: defaultArchiveLimits.archiveBytes });
}

function packOf(org: string, file: string): string {
  return `${org}/${file.replace(/\.ndjson$/u, '')}`;
}

function fileOf(content: Uint8Array | string): StaticFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    size: bytes.length,
    etag: `"${digestHex(sha256(bytes))}"`,
    read: async ({ first, last }) => bytes.subarray(first, last + 1),
  };
}
