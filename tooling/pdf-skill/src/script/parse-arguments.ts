import { parseArgs } from 'node:util';
import type { Command, RunOptions } from './command.js';
import { Failure } from './failure.js';
import { parsePageSelection } from './page-selection.js';

/** A command line, understood. */
export type Invocation =
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly options: RunOptions };

const optionTypes = {
  by: { type: 'string' },
  every: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  layout: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
  pages: { type: 'string', short: 'p' },
  password: { type: 'string' },
  timeout: { type: 'string' },
  version: { type: 'boolean' },
} as const;

type OptionName = keyof typeof optionTypes;
type Values = ReturnType<typeof read>['values'];

const everywhere: readonly OptionName[] = ['help', 'json', 'password', 'timeout', 'version'];
const understood: Readonly<Record<Command['kind'], readonly OptionName[]>> = {
  text: ['pages', 'layout'],
  info: [],
  pages: ['pages'],
  merge: ['force'],
  split: ['pages', 'every', 'out', 'force'],
  extract: ['pages', 'force'],
  rotate: ['pages', 'by', 'force'],
};

/**
 * Reads the arguments after the script's name.
 *
 * @throws `USAGE`.
 */
export function parseArguments(args: readonly string[], environment: { readonly password?: string }): Invocation {
  const { values, positionals } = read(args);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [name, ...files] = positionals;
  if (name === undefined) throw Failure.usage('No command was given.');
  if (!isKind(name)) {
    throw Failure.usage(`“${name}” is no command. There are ${Object.keys(understood).join(', ')}.`);
  }
  for (const option of Object.keys(values)) {
    if (!everywhere.concat(understood[name]).some((known) => known === option)) {
      throw Failure.usage(`The command ${name} has no option --${option}.`);
    }
  }
  return {
    kind: 'run',
    command: commandOf(name, files, { values, password: values.password ?? environment.password }),
    options: {
      json: values.json ?? false,
      force: values.force ?? false,
      timeout: wholeNumber('timeout', values.timeout ?? '60', { min: 1, max: 3600 }),
    },
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: optionTypes, allowPositionals: true, strict: true });
  } catch (error) {
    throw Failure.usage(error instanceof Error ? error.message : String(error));
  }
}

function isKind(name: string): name is Command['kind'] {
  return Object.hasOwn(understood, name);
}

function commandOf(
  kind: Command['kind'],
  files: readonly string[],
  { values, password }: { readonly values: Values; readonly password: string | undefined },
): Command {
  const pages = values.pages === undefined ? undefined : parsePageSelection(values.pages);
  switch (kind) {
    case 'text':
      return { kind, inputs: one(kind, files), password, pages, layout: values.layout ?? false };
    case 'info':
      return { kind, inputs: one(kind, files), password };
    case 'pages':
      return { kind, inputs: one(kind, files), password, pages };
    case 'merge': {
      const [output, ...inputs] = files;
      if (output === undefined || inputs.length === 0) {
        throw Failure.usage('merge needs the file to write, then the files to put into it: merge OUT.pdf A.pdf B.pdf');
      }
      return { kind, inputs, output, password };
    }
    case 'split': {
      if (values.out === undefined) throw Failure.usage('split needs the folder to write to: --out DIR');
      if (pages !== undefined && values.every !== undefined) throw Failure.usage('Give --pages or --every, not both.');
      const every = wholeNumber('every', values.every ?? '1', { min: 1, max: 1_000_000 });
      return { kind, inputs: one(kind, files), password, directory: values.out, pages, every };
    }
    case 'extract': {
      if (pages === undefined) throw Failure.usage('extract needs the pages to take: --pages 2-4');
      const [input, output] = two(kind, files);
      return { kind, inputs: [input], output, password, pages };
    }
    case 'rotate': {
      const [input, output] = two(kind, files);
      return { kind, inputs: [input], output, password, pages, degrees: quarterTurns(values.by) };
    }
  }
}

function one(kind: string, files: readonly string[]): readonly [string] {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw Failure.usage(`${kind} needs one PDF file, got ${files.length}.`);
  return [file];
}

function two(kind: string, files: readonly string[]): readonly [string, string] {
  const [input, output, ...more] = files;
  if (input === undefined || output === undefined || more.length > 0) {
    throw Failure.usage(`${kind} needs two files, the one to read and the one to write, got ${files.length}.`);
  }
  return [input, output];
}

function quarterTurns(text: string | undefined): number {
  if (text === undefined || !['90', '180', '270'].includes(text)) {
    throw Failure.usage(`rotate needs --by 90, 180 or 270 (clockwise), got ${text ?? 'nothing'}.`);
  }
  return Number(text);
}

function wholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw Failure.usage(`--${name} takes a whole number from ${min} to ${max}, got “${text}”.`);
  }
  return value;
}
