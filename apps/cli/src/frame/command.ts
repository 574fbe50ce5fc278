import type { App } from '../app.js';
import type { Answer } from './answer.js';

/** An option without a value, `--dry-run`. */
export interface FlagOption {
  readonly kind: 'flag';
  readonly description: string;
}

/** An option with a value. */
export interface ValueOption {
  readonly kind: 'value';
  /** What the help calls the value. */
  readonly placeholder: string;
  readonly description: string;
  /** Whether it may be given more than once: commas come between the values. @default false, the last one counts */
  readonly repeated?: true;
}

/** An option whose value is one of a few words. */
export interface ChoiceOption<Word extends string = string> {
  readonly kind: 'choice';
  readonly words: readonly Word[];
  readonly description: string;
}

/** An option whose value is a whole number within bounds. */
export interface NumberOption {
  readonly kind: 'number';
  readonly placeholder: string;
  readonly least: number;
  readonly most: number;
  readonly description: string;
}

/** An argument: exactly one word, one or none, any number, at least one. */
export interface Argument<Count extends 'one' | 'optional' | 'any' | 'some' = 'one' | 'optional' | 'any' | 'some'> {
  readonly count: Count;
  readonly placeholder: string;
  readonly description: string;
}

export type CommandOption = FlagOption | ValueOption | ChoiceOption | NumberOption;

type OptionInput<Option> = Option extends FlagOption
  ? boolean
  : Option extends ChoiceOption<infer Word>
    ? Word | undefined
    : Option extends NumberOption
      ? number | undefined
      : string | undefined;

type ArgumentInput<Present> =
  Present extends Argument<'one'>
    ? string
    : Present extends Argument<'optional'>
      ? string | undefined
      : readonly string[];

/** What the command line said, by the names that the command gives its arguments and options. */
export type CommandInput<Arguments, Options> = {
  readonly [Name in keyof Arguments]: ArgumentInput<Arguments[Name]>;
} & { readonly [Name in keyof Options]: OptionInput<Options[Name]> };

/** A command: what its help says, and what it does. Option names are in camel case, `dryRun` for `--dry-run`. */
export interface Command<
  Arguments extends Readonly<Record<string, Argument>> = Readonly<Record<string, Argument>>,
  Options extends Readonly<Record<string, CommandOption>> = Readonly<Record<string, CommandOption>>,
> {
  /** What it does, in a few sentences. */
  readonly description: string;
  readonly arguments: Arguments;
  readonly options: Options;
  /** Lines of the help: a command line, and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Runs it. Method notation, so that commands of any input fit into one table. */
  run(input: CommandInput<Arguments, Options>, app: App): Promise<Answer>;
}

/** A command, with the types of its input taken from its arguments and options. */
export function defineCommand<
  const Arguments extends Readonly<Record<string, Argument>>,
  const Options extends Readonly<Record<string, CommandOption>>,
>(command: Command<Arguments, Options>): Command<Arguments, Options> {
  return command;
}

/** The option that says where the packs come from. */
export const registryOption = {
  registry: {
    kind: 'value',
    placeholder: 'url or folder',
    description: 'registry to use for organisations that have none of their own',
  },
} as const;

/** The options that say which root is meant. */
export const rootOptions = {
  scope: {
    kind: 'choice',
    words: ['project', 'user'],
    description: 'the project’s skills, or those of all your projects (default: project)',
  },
  root: { kind: 'value', placeholder: 'dir', description: 'any other folder of skills' },
} as const;

/** The option that forbids the network. */
export const offlineOption = {
  offline: { kind: 'flag', description: 'use only what is in the cache' },
} as const;

/** The option that only shows a plan. */
export const dryRunOption = {
  dryRun: { kind: 'flag', description: 'say what would be done, and do nothing' },
} as const;
