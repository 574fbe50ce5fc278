import {
  checkAborted,
  parseRevocations,
  parseSearchCatalogue,
  parseSearchPointer,
  searchCatalogue,
  type PackRegistry,
  type PackSummary,
} from '@skillpack/core';
import { readSummaries } from './derive-documents.js';
import { readBlob, streamBlob } from './folder-blobs.js';
import type { FolderContext } from './folder-context.js';
import type { FolderFiles } from './folder-files.js';
import { readIndex } from './rebuild-pack.js';

/** Reads the registry in a folder. */
export function createFolderReader(location: string, context: FolderContext): PackRegistry {
  const { files } = context;
  return {
    location,
    async getPack(name, { signal } = {}) {
      checkAborted(signal);
      return readIndex(name, files);
    },
    async getBlob({ digest, size }, { signal, onProgress } = {}) {
      checkAborted(signal);
      const bytes = await readBlob(digest, size, files);
      onProgress?.(bytes.length);
      return bytes;
    },
    async copyBlob({ digest, size }, sink, { signal, onProgress } = {}) {
      checkAborted(signal);
      for await (const chunk of streamBlob(digest, size, files)) {
        checkAborted(signal);
        onProgress?.(chunk.length);
        sink.write(chunk);
      }
    },
    async search(words, { limit, signal } = {}) {
      checkAborted(signal);
      return searchCatalogue((await readCatalogue(files)) ?? (await readSummaries(context)), words, limit);
    },
    async getRevocations({ signal } = {}) {
      checkAborted(signal);
      const bytes = await files.read('revocations/latest.json');
      return bytes === undefined ? [] : parseRevocations(new TextDecoder().decode(bytes), 'revocations/latest.json');
    },
  };
}

async function readCatalogue(files: FolderFiles): Promise<readonly PackSummary[] | undefined> {
  const pointer = await files.read('search/latest.json');
  if (pointer === undefined) return undefined;
  const { catalogue } = parseSearchPointer(new TextDecoder().decode(pointer), 'search/latest.json');
  const bytes = await files.read(catalogue);
  return bytes === undefined ? undefined : parseSearchCatalogue(new TextDecoder().decode(bytes), catalogue);
}
