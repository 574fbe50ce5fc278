import type { Command } from './command.js';
import type { GlobalOptions } from './global-options.js';

/** What a command line asks for. */
export type Invocation =
  /** `asked` is false when no command was given. */
  | { readonly kind: 'help'; readonly text: string; readonly asked: boolean }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'command';
      readonly command: Command;
      /** Fits the arguments and options that the command declares. */
      readonly input: Readonly<Record<string, unknown>>;
      readonly globals: GlobalOptions;
    };
