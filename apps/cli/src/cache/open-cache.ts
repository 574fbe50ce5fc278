import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { ArchiveStore, StoreCleaned, StoreInfo, StoreVerified } from '@skillpack/cli-dist';
import { documentCacheFiles, openStore, scanCacheFiles, sealFiles } from '../adapters/cache.js';
import { cleanPart, measurePart, removeAbandoned, type CachePart, type CachePartSize } from './cache-part.js';
import { whyUnwritable } from '../files/why-unwritable.js';
import { compileCacheFiles, compileCacheFolders } from './compile-cache-files.js';

/** Where everything is kept that can be made or fetched again. */
export interface CachePlaces {
  /** The cache folder that was chosen. */
  readonly cacheDir: string;
  /** Where Node keeps compiled code: the machine's cache folder, since it is needed before any setting is read. */
  readonly codeDir: string;
}

/** What is kept besides archives, by kind. */
export interface WithOtherParts {
  readonly others: readonly CachePartSize[];
}

/** The whole cache: archives and all else. */
export interface Cache {
  /** `unwritable`: why nothing can be kept, as the system's code (`EROFS`). */
  info(): Promise<StoreInfo & WithOtherParts & { readonly unwritable: string | null }>;
  /** Removes everything of ours, whatever else lies beside it. @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`. */
  clean(): Promise<StoreCleaned & WithOtherParts>;
  /**
   * Hashes every archive, and removes damaged ones and what dead processes left anywhere. All else in the cache is
   * checked whenever it is read.
   *
   * @param now milliseconds since 1970, by the clock that files get their times from.
   */
  verify(now: number, options: { readonly signal: AbortSignal }): Promise<StoreVerified>;
}

/** The cache in these places. Nothing is made. */
export function openCache({ cacheDir, codeDir }: CachePlaces): Cache {
  const store: ArchiveStore = openStore(cacheDir);
  const parts: readonly CachePart[] = [
    { kind: 'documents', folder: join(cacheDir, 'http'), names: documentCacheFiles },
    { kind: 'scans', folder: join(cacheDir, 'scan'), names: scanCacheFiles },
    { kind: 'seals', folder: join(cacheDir, 'seals'), names: sealFiles },
    { kind: 'code', folder: join(codeDir, 'compile'), names: compileCacheFiles, within: compileCacheFolders },
  ];
  return {
    info: async () => ({
      ...(await store.info()),
      others: parts.map(measurePart),
      unwritable: whyUnwritable(join(cacheDir, 'blobs', 'sha256')),
    }),
    clean: async () => {
      const cleaned = await store.clean();
      // Else Node would write what this command compiled when it ends.
      flushCompileCache();
      return { ...cleaned, others: parts.map(cleanPart) };
    },
    verify: async (now, options) => {
      const verified = await store.verify(options);
      return {
        ...verified,
        leftovers: [...verified.leftovers, ...parts.flatMap((part) => removeAbandoned(part, now))],
      };
    },
  };
}
