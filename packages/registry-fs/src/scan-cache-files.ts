/** What the files of the folder in which scans remember are called, finished and while they are written. */
export const scanCacheFiles: { readonly kept: RegExp; readonly unfinished: RegExp } = {
  kept: /^[0-9a-f]{8}\.scan$/u,
  unfinished: /^[0-9a-f]{8}\.scan\.\d+$/u,
};
