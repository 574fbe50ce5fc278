import type { PackSummary } from '@skillpack/core';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { shortened } from './shortened.js';

const longest = 120;

/** What a search found. */
export interface FoundPacks {
  readonly registry: string;
  readonly packs: readonly PackSummary[];
}

/** The hits of a search, for people. */
export function renderPackSummaries({ registry, packs }: FoundPacks, style: Style): string {
  if (packs.length === 0) return `Nothing found in ${registry}.`;
  return columns(
    packs.map(({ name, version, description, deprecated }) => [
      style.bold(name),
      version,
      `${deprecated === null ? '' : `${style.yellow('deprecated')} `}${shortened(description, longest)}`,
    ]),
  );
}
