import type { BigIntStats } from 'node:fs';

/** A folder, a file or a link that was reached without following any link. */
export interface Place {
  /** Under this path the system finds this very thing while it is held, or {@link FolderAccess.confirm} says that it did not. */
  readonly path: string;
  readonly stat: BigIntStats;
}

/**
 * How a system is asked for what is in a folder, one name at a time, so that nothing on the way is a link that was not
 * looked at. Places are held until they are released. Everything throws what the system throws; `ESTALE` is thrown
 * where something was changed meanwhile, and asking again may help.
 */
export interface FolderAccess {
  /** The folder at an absolute path in which no part may be a link. */
  top(realPath: string): Place;
  /** What a folder has under a name, which is neither empty nor `.` nor `..` and holds no separator. */
  entry(folder: Place, name: string): Place;
  /** A descriptor of a regular file, for reading. Whoever asks closes it. */
  open(file: Place): number;
  /** Throws unless what was read under the path of a place was that place. */
  confirm(place: Place): void;
  release(place: Place): void;
}

/** An error as the system throws it. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
