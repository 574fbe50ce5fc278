import type { Command } from './command.js';

/** The options that every command has. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
  readonly cwd: string | undefined;
}

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
