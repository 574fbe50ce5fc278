import type { PackPublisher } from '@skillpack/core';
import { loadPack, type LoadPackPorts } from './load-pack.js';

/** What packs are added with. */
export interface AddPacksPorts extends LoadPackPorts {
  readonly publisher: PackPublisher;
}

/** A pack that was put into a registry. */
export interface AddedPack {
  readonly name: string;
  readonly version: string;
  /** `false` when the registry had it already. */
  readonly created: boolean;
  /** Whether the registry had it with files missing or damaged, which are whole again. */
  readonly repaired: boolean;
}

/** How packs are added. */
export interface AddPacksOptions {
  readonly signal: AbortSignal;
  /** Told after every pack. */
  readonly onProgress: (added: { readonly packs: number; readonly of: number }) => void;
}

/** Puts the packs at these absolute paths into a registry, one after another. The first that cannot be ends it. */
export async function addPacks(
  paths: readonly string[],
  { archives, publisher }: AddPacksPorts,
  { signal, onProgress }: AddPacksOptions,
): Promise<readonly AddedPack[]> {
  const added: AddedPack[] = [];
  for (const path of paths) {
    const { archive, format } = await loadPack(path, { archives }, { signal });
    const { name, record, created, repaired = false } = await publisher.publish({ archive, format }, { signal });
    added.push({ name, version: record.version, created, repaired });
    onProgress({ packs: added.length, of: paths.length });
  }
  return added;
}
