import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { systemError, type FolderAccess, type Place } from './folder-access.js';

// O_PATH of Linux, which Node does not list: what is opened so is only held, so that no pipe, device or mount notices,
// and no right to read is needed. It has this value on every architecture that Node runs on.
const held = 0o10000000 | (constants.O_NOFOLLOW ?? 0);

interface HeldPlace extends Place {
  readonly descriptor: number;
}

/**
 * The access of Linux, in which nobody can come between: each name is looked up in the folder that is held, whatever
 * became of its path, and what is opened is what was looked at.
 */
export const descriptorAccess: FolderAccess = {
  top(realPath) {
    let place: Place = hold('/');
    for (const name of realPath.split('/')) {
      if (name === '') continue;
      const outer = place;
      try {
        place = descriptorAccess.entry(outer, name);
      } finally {
        descriptorAccess.release(outer);
      }
      if (place.stat.isDirectory()) continue;
      descriptorAccess.release(place);
      throw systemError(place.stat.isSymbolicLink() ? 'ELOOP' : 'ENOTDIR', realPath);
    }
    return place;
  },
  entry: (folder, name) => hold(`${folder.path}/${name}`),
  open: (file) => openSync(file.path, constants.O_RDONLY | constants.O_NONBLOCK),
  confirm() {},
  release: (place) => closeSync((place as HeldPlace).descriptor),
};

function hold(path: string): HeldPlace {
  const descriptor = openSync(path, held);
  try {
    return { descriptor, path: `/proc/self/fd/${descriptor}`, stat: fstatSync(descriptor, { bigint: true }) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Whether the system has this access: `/proc` may be missing, or closed to a process that changed its user. */
export function hasDescriptorAccess(): boolean {
  if (process.platform !== 'linux') return false;
  let root: HeldPlace | undefined;
  try {
    root = hold('/');
    const { dev, ino } = statSync(root.path, { bigint: true });
    return dev === root.stat.dev && ino === root.stat.ino;
  } catch {
    return false;
  } finally {
    if (root !== undefined) descriptorAccess.release(root);
  }
}
