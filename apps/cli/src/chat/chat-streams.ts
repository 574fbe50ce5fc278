import type { GlobalOptions } from '../frame/global-options.js';
import type { Terminal } from '../frame/terminal.js';

/** What a conversation is held through. */
export interface ChatStreams extends Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'> {
  /** The command line, without the program. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly globals: Pick<GlobalOptions, 'json' | 'quiet' | 'verbose'>;
}
