/** What the files of a document cache are called, finished and while they are written. */
export const documentCacheFiles: { readonly kept: RegExp; readonly unfinished: RegExp } = {
  kept: /^[0-9a-f]{64}\.cache$/u,
  unfinished: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.tmp$/u,
};
