/** What a command line would start, as far as that can be told without running it. */
export type CommandLine =
  | { readonly kind: 'commands'; readonly commands: readonly SimpleCommand[] }
  /** Not readable for sure, so no pattern may match it. The reason is a sentence for a person, cleaned for a terminal. */
  | { readonly kind: 'opaque'; readonly reason: string };

/** One program that a command line would start, with all that it is told. */
export interface SimpleCommand {
  /** Every word as the program gets it: without quotes, and known to the letter. */
  readonly words: readonly string[];
  /** What is set for it alone: `FOO=bar git status`. Where there are no words, what is set from there on. */
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  /** What it reads from and writes to. `operator` has the number of the descriptor, where one is written: `2>&`. */
  readonly redirects: readonly { readonly operator: string; readonly target: string }[];
}
