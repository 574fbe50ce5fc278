import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type BigIntStats } from 'node:fs';
import { entryPath } from '../entry-path.js';
import { errnoOf } from '../errno.js';
import { systemError, type FolderAccess, type Place } from './folder-access.js';

interface NamedPlace extends Place {
  /** `undefined` for the top. */
  readonly folder: NamedPlace | undefined;
}

// Windows has neither.
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
// Whoever changes a folder while its change is overlooked has to hit the moments between all of these looks.
const looks = 3;

/**
 * The access of systems on which a folder cannot be asked by what holds it. Every folder on the way is looked at before
 * and after, several times: to exchange one changes the time of the folder around it, which nobody can set. Somebody who
 * may write to the folder, and hits several moments of microseconds one after the other, comes between.
 */
export const pathAccess: FolderAccess = {
  top(realPath) {
    if (realpathSync(realPath) !== realPath) throw systemError('ELOOP', realPath);
    const place: NamedPlace = { path: realPath, stat: lstatSync(realPath, { bigint: true }), folder: undefined };
    if (!place.stat.isDirectory()) throw systemError('ENOTDIR', realPath);
    return place;
  },
  entry(folder, name) {
    const path = entryPath(folder.path, name);
    const place: NamedPlace = { path, stat: lstatSync(path, { bigint: true }), folder: folder as NamedPlace };
    pathAccess.confirm(place);
    return place;
  },
  open(file) {
    const descriptor = openUnfollowed(file.path);
    try {
      if (!isSame(fstatSync(descriptor, { bigint: true }), file.stat)) throw systemError('ESTALE', file.path);
      pathAccess.confirm(file);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  },
  confirm(place) {
    for (let look = 0; look < looks; look += 1) {
      for (let at: NamedPlace | undefined = place as NamedPlace; at !== undefined; at = at.folder) {
        const now = lstatSync(at.path, { bigint: true, throwIfNoEntry: false });
        const same = now !== undefined && isSame(now, at.stat) && (at === place || now.ctimeNs === at.stat.ctimeNs);
        if (!same) throw systemError('ESTALE', at.path);
      }
    }
  },
  release() {},
};

function openUnfollowed(path: string): number {
  try {
    return openSync(path, reading);
  } catch (error) {
    // It was a file a moment before. For a link: ELOOP, or EMLINK on FreeBSD.
    throw ['ELOOP', 'EMLINK'].includes(errnoOf(error)) ? systemError('ESTALE', path) : error;
  }
}

function isSame(left: BigIntStats, right: BigIntStats): boolean {
  return left.ino === right.ino && left.dev === right.dev && left.mode === right.mode;
}
