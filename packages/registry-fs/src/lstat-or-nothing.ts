import { lstatSync, type Stats } from 'node:fs';
import { errnoOf } from './errno.js';

/** What the system says of a path, its last link not followed; `undefined` when it says nothing. */
export function lstatOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}
