import * as z from 'zod/mini';
import { judgePath } from './pack-path.js';

/**
 * The name of a skill as a document lists it, which is also the name of its folder: one path component that exists on
 * every platform and does not begin with a dot. Names of folders that are removed come from here.
 */
export const skillFolderSchema = z.string().check(
  z.maxLength(64, { abort: true }),
  z.regex(/^[^./\\][^/\\]*$/u, { error: 'expected the name of a skill’s folder', abort: true }),
  z.refine((name) => judgePath(name) === undefined, { error: 'expected a folder name that exists on every platform' }),
);

export const skillFoldersSchema = z.array(skillFolderSchema).check(z.maxLength(1000));
