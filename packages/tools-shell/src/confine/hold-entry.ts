import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type BigIntStats,
} from 'node:fs';

/** A file or folder that stays the same one, whatever becomes of its path. */
export interface HeldEntry extends Disposable {
  /** What leads to it as long as it is held. */
  readonly handle: string;
  readonly stats: BigIntStats;
}

/** Linux: where what is open is found, by the number of its descriptor. */
const descriptors = '/proc/self/fd';
// Node has no name for O_PATH: what is opened so is only held, so that no pipe or device notices, and no right to read
// is needed. It has this value on every architecture that Node runs on.
const onlyHeld = 0o10000000 | (constants.O_NOFOLLOW ?? 0);

/** Linux: what leads to what is open, whatever becomes of its path. */
export function handleOf(descriptor: number): string {
  return `${descriptors}/${descriptor}`;
}

/** Whether a handle is a descriptor's, and no path that may lead to something else by now. */
export function isDescriptorHandle(handle: string): boolean {
  return handle.startsWith(`${descriptors}/`);
}

/** Linux: holds what is at a path, a link itself too, by a descriptor: nobody comes between. @throws what the system says. */
export function holdByDescriptor(path: string): HeldEntry {
  const descriptor = openSync(path, onlyHeld);
  const release = (): void => closeSync(descriptor);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    return { handle: handleOf(descriptor), stats, [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Elsewhere: looks at it; whoever exchanges it has to be found out. @throws what the system says. */
export function holdByPath(path: string): HeldEntry {
  return { handle: path, stats: lstatSync(path, { bigint: true }), [Symbol.dispose]: () => undefined };
}

/** Holds what is at a path as the system can. @throws what the system says. */
export function holdEntry(path: string): HeldEntry {
  return holdsByDescriptor() ? holdByDescriptor(path) : holdByPath(path);
}

/** Whether what is held lies at a path without a link in it. Without descriptors, it is taken to. */
export function isHeldAt({ handle }: HeldEntry, path: string): boolean {
  return handle === path || readlinkSync(handle) === path;
}

/** Whether what is open is found by its descriptor: `/proc` may be missing, as in some containers. */
export function holdsByDescriptor(): boolean {
  return process.platform === 'linux' && existsSync(descriptors);
}

/** Whether two are one file or folder. */
export function isSameEntry(
  left: Pick<BigIntStats, 'dev' | 'ino'>,
  right: Pick<BigIntStats, 'dev' | 'ino'> | undefined,
): boolean {
  return left.ino === right?.ino && left.dev === right.dev;
}
