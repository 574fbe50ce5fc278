import type { FolderFiles } from '../folder/folder-files.js';
import { sha256 } from '../sha256.js';
import type { StaticSource } from './static-file.js';

/** The static files of a folder registry, as they lie there. */
export function folderSource(files: FolderFiles): StaticSource {
  return async (path) => {
    const facts = await files.facts(path);
    if (facts === undefined) return undefined;
    const name = path.startsWith('blobs/') ? path.slice(path.lastIndexOf('/') + 1) : sha256(facts.mark).slice(7, 39);
    return {
      size: facts.size,
      etag: `"${name}"`,
      read: (range) => files.stream(path, range),
    };
  };
}
