import type { ReadFolders } from './read-folders.js';

/** What each of the tools that read works with. */
export interface ReadPorts {
  readonly folders: ReadFolders;
  /** Takes secrets out of a text: of a whole one, since half a secret is told by nothing. */
  readonly redact: (text: string) => string;
}
