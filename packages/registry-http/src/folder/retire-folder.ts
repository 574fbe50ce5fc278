import type { FolderFiles } from './folder-files.js';

const marker = 'superseded.txt';
const kept = 60 * 60 * 1000;

/**
 * Removes a folder that nothing names any more, an hour after it was first seen to be so: a client that has just read
 * the document that named it may still ask for what is in it.
 */
export async function retireFolder(folder: string, files: FolderFiles, now: Date): Promise<void> {
  const since = await files.read(`${folder}/${marker}`);
  if (since === undefined) {
    await files.create(`${folder}/${marker}`, now.toISOString());
    return;
  }
  const age = now.getTime() - Date.parse(new TextDecoder().decode(since));
  if (!(age < kept)) await files.remove(folder);
}

/** Takes back that a folder is to be removed. */
export async function keepFolder(folder: string, files: FolderFiles): Promise<void> {
  if ((await files.facts(`${folder}/${marker}`)) !== undefined) await files.remove(`${folder}/${marker}`);
}
