import { quoted, SkillsError } from '@skillpack/core';
import type { Command as Program } from 'commander';
import type { Argument, Command, CommandOption } from './command.js';
import type { GlobalOptions } from './global-options.js';
import { optionFlag } from './option-flag.js';

/** What a command line said: for the command by its own names, and for the frame. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly globals: GlobalOptions;
}

/**
 * Takes the words that the parser sorted, checked and named as `command` declares them.
 *
 * @throws `USAGE` when the value of an option is not one that it takes, and for an empty word: as a path it would mean
 * the current folder, which nobody means who writes `"$DIR"` of a variable that is not set.
 */
export function readInput(parsed: Program, command: Command): ReadInput {
  const values = parsed.optsWithGlobals<Record<string, unknown>>();
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw emptyWord(optionFlag(name), name === 'cwd' || namesFolder(command.options[name]));
  }
  for (const [index, [name, argument]] of Object.entries(command.arguments).entries()) {
    const value: unknown = parsed.processedArgs[index];
    if ([value].flat().includes('')) throw emptyWord(argument.placeholder, namesFolder(argument));
    input[name] = value;
  }
  for (const [name, option] of Object.entries(command.options)) input[name] = readOption(name, option, values);
  return {
    input,
    globals: {
      json: values['json'] === true,
      quiet: values['quiet'] === true,
      verbose: values['verbose'] === true,
      colour: values['color'] !== false,
      cwd: typeof values['cwd'] === 'string' ? values['cwd'] : undefined,
    },
  };
}

function readOption(name: string, option: CommandOption, values: Readonly<Record<string, unknown>>): unknown {
  // The parser keeps `--no-save` as `save: false`.
  if (option.kind === 'flag' && /^no[A-Z]/u.test(name)) {
    return values[`${name.charAt(2).toLowerCase()}${name.slice(3)}`] === false;
  }
  const value = values[name];
  if (option.kind === 'flag') return value === true;
  if (typeof value !== 'string') return undefined;
  switch (option.kind) {
    case 'value':
      return value;
    case 'choice':
      if (option.words.includes(value)) return value;
      throw wrongValue(name, value, `one of ${option.words.join(', ')}`);
    case 'number':
      return readNumber(name, value, option);
  }
}

function readNumber(name: string, text: string, bounds: { readonly least: number; readonly most: number }): number {
  const number = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
  if (number >= bounds.least && number <= bounds.most) return number;
  throw wrongValue(name, text, `a whole number from ${bounds.least} to ${bounds.most}`);
}

function emptyWord(name: string, folder: boolean): SkillsError {
  const here = folder ? ' The current folder is written “.”.' : '';
  return new SkillsError('USAGE', `${name} is empty.`, {
    hint: `A variable of the shell that is not set makes an empty word.${here}`,
  });
}

function namesFolder(declared: Argument | CommandOption | undefined): boolean {
  return declared !== undefined && 'placeholder' in declared && /\b(?:dir|folder)\b/u.test(declared.placeholder);
}

function wrongValue(name: string, value: string, expected: string): SkillsError {
  const flag = optionFlag(name);
  return new SkillsError('USAGE', `${flag} is ${quoted(value)}; expected ${expected}.`, {
    data: { option: flag, value, expected },
  });
}
