import { lstatSync, type Stats } from 'node:fs';
import { errnoOf } from './errno.js';

// One object for all: a scan asks for thousands.
const options = { throwIfNoEntry: false } as const;

/** What the system says of a path, its last link not followed; `undefined` when it says nothing. */
export function lstatOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, options);
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}
