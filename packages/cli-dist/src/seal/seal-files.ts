import { temporaryName } from '../disk/temporary-files.js';

/** What the files in which installs remember what they saw are called, finished and while they are written. */
export const sealFiles: { readonly kept: RegExp; readonly unfinished: RegExp } = {
  kept: /^[0-9a-f]{3}\.seal$/u,
  unfinished: temporaryName,
};
