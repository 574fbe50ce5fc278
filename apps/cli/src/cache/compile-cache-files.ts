/** The folders in which Node keeps compiled code: one a version, processor and person. */
export const compileCacheFolders = /^v\d+\.\d+\.\d+[\w.-]*-[0-9a-f]{8}(?:-\d+)?$/u;

/** What Node calls a file of compiled code, finished and while it is written. */
export const compileCacheFiles = {
  kept: /^[0-9a-f]{8}$/u,
  unfinished: /^[0-9a-f]{8}\.[0-9A-Za-z]{6}$/u,
};
