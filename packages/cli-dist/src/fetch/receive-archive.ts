import type { BlobReadOptions, BlobRequest, PackRegistry } from '@skillpack/core';
import { heldBytes, type ArchiveStore, type IncomingArchive } from '../store/archive-store.js';

/** Which archive is received. */
export interface ReceiveRequest extends BlobRequest {
  /** In bytes, as an index states it; `undefined` where none was asked. */
  readonly stated: number | undefined;
}

/** What it is received with. */
export interface ReceivePorts {
  readonly registry: PackRegistry;
  readonly store: ArchiveStore;
}

/** An archive that has arrived and has its digest; whoever gets it closes it. */
export type ReceivedArchive = Pick<IncomingArchive, 'archive' | 'size' | 'inMemory' | 'keep' | 'close'>;

/**
 * Gets an archive from a registry: one that is said to be small into memory, any other on its way into the store.
 * A registry hashes what it hands out: that the bytes have the digest is its promise.
 *
 * @throws what the registry throws; nothing is left behind.
 */
export async function receiveArchive(
  request: ReceiveRequest,
  { registry, store }: ReceivePorts,
  options: BlobReadOptions,
): Promise<ReceivedArchive> {
  const { digest, stated } = request;
  if (registry.copyBlob === undefined || (stated !== undefined && stated <= heldBytes)) {
    const bytes = await registry.getBlob(request, options);
    return { archive: bytes, size: bytes.length, inMemory: true, keep: () => store.put(digest, bytes), close() {} };
  }
  const arriving = store.receive(digest, stated);
  try {
    await registry.copyBlob(request, arriving, options);
  } catch (error) {
    arriving.close();
    throw error;
  }
  return arriving;
}
