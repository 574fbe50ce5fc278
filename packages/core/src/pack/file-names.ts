// Alone in a file, since whoever looks for these files should not have to load what reads them.

/** The file name of a manifest, at the root of an archive. */
export const manifestFileName = 'manifest.json';

/** The name of a lock file. */
export const lockFileName = 'skillpack-lock.json';

/** The name of a project file. */
export const projectFileName = 'skillpack.json';
