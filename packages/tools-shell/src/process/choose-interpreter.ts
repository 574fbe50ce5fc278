import { basename, extname } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { findProgram } from './find-program.js';
import { findStrangeFlag } from './interpreter-flags.js';
import { neededPackages } from './needed-packages.js';

/** A script, as far as it says what runs it. */
export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  /** Its first bytes: `beginningBytes` of them, where it has as many. */
  readonly beginning: Uint8Array;
}

/** The program that runs a script, and what stands before the script among its arguments. */
export interface Interpreter {
  /** Absolute. */
  readonly program: string;
  readonly flags: readonly string[];
  /** What somebody who reads its output has to know. @default nothing */
  readonly note?: string | undefined;
}

/** Where a script is run. */
export interface InterpreterOptions {
  /** Whether nothing can be fetched from there. @default false */
  readonly offline?: boolean | undefined;
}

/** How many bytes say what runs a script: its first line, and what it needs. */
export const beginningBytes = 64 * 1024;
/** Bytes of a first line. */
export const longestLine = 512;

/** What a script's own name says. */
const byExtension: Readonly<Record<string, string>> = {
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.mts': 'node',
  '.cts': 'node',
  '.py': 'python3',
  '.sh': 'bash',
  '.bash': 'bash',
  '.rb': 'ruby',
  '.pl': 'perl',
};

/** What else will do, where the program itself is not here. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  nodejs: ['node'],
  python: ['python3'],
  python3: ['python'],
  bash: ['sh'],
  sh: ['bash'],
};

const mostNamed = 10;
const known =
  /^(?:node|nodejs|deno|bun|tsx|python(?:[23](?:\.\d{1,2})?)?|uv|(?:ba|da|z|k)?sh|ruby|perl|php|Rscript|lua)$/u;
const typescript = /\.[cm]?ts$/u;

/**
 * Chooses what runs a script: its first line (`#!`), by the name of the program there, wherever this machine has it;
 * else the end of its name. A Python script that says which packages it needs (PEP 723) is run by `uv`, where it is
 * here. No bit has to be set; nothing but known interpreters is started, and they are given no words that make them run
 * something else than the script.
 *
 * @throws `TOOL_NOT_ALLOWED` where nothing is known, or nothing is here, that runs it and nothing else.
 */
export function chooseInterpreter(
  script: ScriptFile,
  folders: readonly string[],
  { offline = false }: InterpreterOptions = {},
): Interpreter {
  const [name = byExtension[extname(script.path).toLowerCase()], ...flags] = readFirstLine(script);
  if (name === undefined) {
    throw refused(script, 'has no “#!” line, and its name does not say what runs it either', {
      hint: 'Begin it with a line such as #!/usr/bin/env python3, or name it .py, .js, .sh, .rb or .pl.',
    });
  }
  if (!known.test(name)) {
    throw refused(script, `wants to be run by ${quoted(name)}, which is no interpreter that is known here`, {
      hint: 'Write it for node, python3, bash, sh, ruby or perl.',
    });
  }
  const strange = findStrangeFlag(name, flags);
  if (strange !== undefined) {
    throw refused(script, `hands ${quoted(strange)} to ${name}, which may run something else than the script`, {
      hint: 'Leave it out of the “#!” line, and do what it does in the script.',
    });
  }
  const needing = chooseForNeeds({ name, flags, script, offline }, folders);
  if (needing !== undefined) return needing;
  const program = locate(name, folders);
  if (program === undefined) {
    throw refused(script, `needs ${name}, which is not on the PATH`, { hint: `Install ${name}.` });
  }
  if (name === 'node' && typescript.test(script.path) && process.features.typescript === false) {
    throw refused(script, 'is TypeScript, which this Node.js does not run', { hint: 'Use Node.js 22.18 or later.' });
  }
  return { program, flags };
}

interface ChosenName {
  readonly name: string;
  readonly flags: readonly string[];
  readonly script: ScriptFile;
  readonly offline: boolean;
}

/** Of Python scripts that need packages: `uv` brings them, else Python runs the script without. */
function chooseForNeeds(
  { name, flags, script, offline }: ChosenName,
  folders: readonly string[],
): Interpreter | undefined {
  const plain = /^python(?:3(?:\.\d{1,2})?)?$/u.test(name) && flags.length === 0;
  const needs = neededPackages(script.beginning);
  if (name !== 'uv' && !(plain && needs.length > 0)) return undefined;
  const uv = locate('uv', folders);
  if (uv !== undefined) {
    const words = name === 'uv' ? flags : ['run', '--script'];
    const [first, ...others] = words;
    const unable = offline && first === 'run' && !others.includes('--offline');
    return { program: uv, flags: unable ? [first, '--offline', ...others] : words };
  }
  const python = locate('python3', folders);
  if (python === undefined || !(plain || flags.some((flag) => flag === '--script' || flag === '-s'))) return undefined;
  const named = needs.slice(0, mostNamed).map((need) => quoted(need));
  const what =
    named.length === 0 ? 'what it needs' : `${named.join(', ')}${needs.length > mostNamed ? ' and others' : ''}`;
  const note = `Note: uv, which would install ${what} for this script, is not on the PATH. It was run by python3 as it is.`;
  return { program: python, flags: [], note };
}

function locate(name: string, folders: readonly string[]): string | undefined {
  // The one that runs already is here, and new enough.
  if ((name === 'node' || name === 'nodejs') && /^node(?:\.exe)?$/u.test(basename(process.execPath))) {
    return process.execPath;
  }
  return findProgram([name, ...(alternatives[name] ?? [])], folders);
}

/** The words of a `#!` line, the first one the name of the program; none where there is no such line. */
function readFirstLine(script: ScriptFile): readonly string[] {
  const beginning = script.beginning.subarray(0, longestLine);
  if (beginning[0] !== 0x23 || beginning[1] !== 0x21) return [];
  const end = beginning.indexOf(0x0a);
  if (end === -1 && beginning.length >= longestLine) throw refused(script, 'has a “#!” line that is too long');
  const line = new TextDecoder().decode(beginning.subarray(2, end === -1 ? undefined : end)).trim();
  // Nothing of a shell's grammar is interpreted here, so nothing of it is passed over either.
  if (!/^[\w\-./+=:,@ \t]+$/u.test(line)) throw refused(script, `has a “#!” line that cannot be read: ${quoted(line)}`);
  const [program = '', ...words] = line.split(/[ \t]+/u);
  const name = baseOf(program);
  if (name !== 'env') return [name, ...words];
  const [named = '', ...flags] = words.filter((word, index) => !(index === 0 && /^(?:-S|--split-string)$/u.test(word)));
  // `env -i`, `env NAME=value`: what a script is given is not for the script to say.
  if (named === '' || named.startsWith('-') || named.includes('=')) {
    throw refused(script, `has a “#!” line that cannot be read: ${quoted(line)}`);
  }
  return [baseOf(named), ...flags];
}

function baseOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

function refused({ path }: ScriptFile, problem: string, options: { readonly hint?: string } = {}): SkillsError {
  return new SkillsError('TOOL_NOT_ALLOWED', `The script ${quoted(basename(path))} ${problem}.`, {
    ...options,
    data: { path },
  });
}
