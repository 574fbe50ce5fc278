import { basename } from 'node:path';
import type { NameHints } from './pack-content.js';

const ending = /\.(?:tgz|tar\.gz|zip|skill)$/iu;

/** What a pack without a manifest is called by, from the path it lies at. */
export function hintsOfPath(path: string): NameHints {
  return { org: 'local', base: basename(path).replace(ending, '') };
}

/** What a pack without a manifest is called by, from the URL it came from: its host is the organisation. */
export function hintsOfUrl(url: string): NameHints {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  return { org: hostname.replaceAll(/[^a-z0-9]+/giu, '-'), base: last.replace(ending, '') };
}
