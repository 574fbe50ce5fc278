import { isPackName, isVersion } from '@skillpack/core';

/** What a path of a registry names. */
export interface StaticPath {
  /** Decoded, relative to the registry's base. */
  readonly path: string;
  readonly contentType: string;
  readonly immutable: boolean;
}

const json = 'application/json';
const mutable = /^(?:registry|search\/latest|revocations\/latest|\.well-known\/agent-skills\/index)\.json$/u;
const catalogue = /^search\/[a-z0-9-]{1,64}\/catalogue\.ndjson$/u;
const blob = /^blobs\/sha256\/[0-9a-f]{64}$/u;
const artifact = /^\.well-known\/agent-skills\/([^/]+\/[^/]+)\/([^/]+)\/[^/]+(\.tar\.gz|\.zip|\/SKILL\.md)$/u;

const artifactTypes: Readonly<Record<string, string>> = { '.tar.gz': 'application/gzip', '.zip': 'application/zip' };

/**
 * Reads the path of a URL. Only what a registry consists of is named by any path: nothing else of its folder, and
 * nothing outside.
 */
export function parseStaticPath(pathname: string): StaticPath | undefined {
  const path = decode(pathname);
  if (path === undefined) return undefined;
  if (mutable.test(path)) return { path, contentType: json, immutable: false };
  if (catalogue.test(path)) return { path, contentType: 'application/x-ndjson', immutable: true };
  if (blob.test(path)) return { path, contentType: 'application/octet-stream', immutable: true };
  const index = /^packs\/(.+)\.ndjson$/u.exec(path)?.[1];
  if (index !== undefined && isPackName(index)) return { path, contentType: 'application/x-ndjson', immutable: false };
  const [, pack, version] = /^versions\/([^/]+\/[^/]+)\/([^/]+)\.json$/u.exec(path) ?? [];
  if (isVersionOf(pack, version)) return { path, contentType: json, immutable: true };
  const [, owner, newest, kind] = artifact.exec(path) ?? [];
  if (!isVersionOf(owner, newest)) return undefined;
  return { path, contentType: artifactTypes[kind ?? ''] ?? 'text/markdown; charset=utf-8', immutable: true };
}

function isVersionOf(pack: string | undefined, version: string | undefined): boolean {
  return pack !== undefined && version !== undefined && isPackName(pack) && isVersion(version);
}

/** The segments of a path, each decoded once; `undefined` when one is empty, leads up, or hides a separator. */
function decode(pathname: string): string | undefined {
  const segments: string[] = [];
  for (const segment of pathname.replace(/^\//u, '').split('/')) {
    let text: string;
    try {
      text = decodeURIComponent(segment);
    } catch {
      return undefined;
    }
    // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
    if (text === '' || text === '.' || text === '..' || /[/\\:\u0000-\u001F\u007F]/u.test(text)) return undefined;
    segments.push(text);
  }
  return segments.join('/');
}
