import { UnreadableLine } from './unreadable-line.js';

/** What a program that starts others would start. */
export type Started =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'words';
      readonly words: readonly string[];
      readonly assignments: readonly { readonly name: string; readonly value: string }[];
    }
  /** A text that a shell reads. */
  | { readonly kind: 'line'; readonly text: string };

/** How a program is told what to start: options, then operands of its own, then the command. */
interface Prefix {
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Options with one, behind it or, for long ones, behind `=`. */
  readonly values?: readonly string[];
  readonly operands?: number;
  /** Whether `NAME=value` may stand before the command. */
  readonly assignments?: boolean;
}

const prefixes: ReadonlyMap<string, Prefix> = new Map<string, Prefix>([
  ['builtin', {}],
  ['command', { flags: ['-p'] }],
  ['doas', { flags: ['-n'], values: ['-u'] }],
  ['env', { flags: ['-i', '--ignore-environment'], values: ['-u', '--unset'], assignments: true }],
  ['exec', {}],
  ['ionice', { flags: ['-t', '--ignore'], values: ['-c', '--class', '-n', '--classdata'] }],
  ['nice', { values: ['-n', '--adjustment'] }],
  ['nohup', {}],
  ['setsid', { flags: ['-c', '--ctty', '-f', '--fork', '-w', '--wait'] }],
  ['stdbuf', { values: ['-i', '--input', '-o', '--output', '-e', '--error'] }],
  [
    'sudo',
    {
      flags: ['-n', '--non-interactive', '-E', '--preserve-env', '-H', '--set-home', '-k'],
      values: ['-u', '--user', '-g', '--group'],
      assignments: true,
    },
  ],
  [
    'timeout',
    {
      flags: ['--preserve-status', '--foreground', '-v', '--verbose'],
      values: ['-k', '--kill-after', '-s', '--signal'],
      operands: 1,
    },
  ],
]);

/** Programs that set up the environment of a project, and the word behind which another program is named. */
const runners: ReadonlyMap<string, string> = new Map([
  ['bundle', 'exec'],
  ['conda', 'run'],
  ['pdm', 'run'],
  ['pipenv', 'run'],
  ['poetry', 'run'],
  ['rye', 'run'],
  ['uv', 'run'],
]);

/** Shells that read a line as POSIX has it. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash']);

const nothing: Started = { kind: 'nothing' };

/**
 * What a program would start, by its name and what it is told.
 *
 * @throws UnreadableLine where an option is not known, or the command comes from elsewhere
 */
export function readStarter(name: string, rest: readonly string[]): Started {
  if (shells.has(name)) return readShell(name, rest);
  // Some shells take a first `--` for the command, so it has to be none: it is refused as the name of one.
  if (name === 'eval') return { kind: 'line', text: rest.join(' ') };
  // It prints what a name stands for.
  if (name === 'command' && (rest[0] === '-v' || rest[0] === '-V')) return nothing;
  if (name === 'time') return readTime(rest);
  // Some shells take `--` for the command.
  if (name === 'exec' && rest[0] === '--') throw unknownOption(name);
  const verb = runners.get(name);
  if (verb !== undefined) return readRunner(name, { verb, rest });
  const prefix = prefixes.get(name);
  return prefix === undefined ? nothing : readPrefix(name, { prefix, rest });
}

function readRunner(name: string, { verb, rest }: { verb: string; rest: readonly string[] }): Started {
  const [first, program, ...words] = rest;
  if (first === undefined || /^--?(?:version|help|[Vh])$/u.test(first)) return nothing;
  if (first !== verb && !first.startsWith('-')) return nothing;
  if (first !== verb || program === undefined || program.startsWith('-')) throw unknownOption(name);
  // A script is theirs: they hand it to their Python.
  return program.endsWith('.py') ? nothing : { kind: 'words', words: [program, ...words], assignments: [] };
}

function readTime(rest: readonly string[]): Started {
  // As a word of the shell it takes this option once, and no other.
  const started = readPrefix('time', { prefix: {}, rest: rest[0] === '-p' ? rest.slice(1) : rest });
  if (started.kind === 'nothing') throw new UnreadableLine('“time” of nothing is an error in some places.');
  return started;
}

function readPrefix(name: string, { prefix, rest }: { prefix: Prefix; rest: readonly string[] }): Started {
  let at = 0;
  for (let option = rest[at]; option?.startsWith('-') === true; option = rest[at]) {
    at += 1;
    if (option === '--') break;
    if (prefix.flags?.includes(option) === true) continue;
    if (prefix.values?.includes(option) === true) at += 1;
    else if (!hasValue(option, prefix)) throw unknownOption(name);
  }
  at += prefix.operands ?? 0;
  const assignments: { name: string; value: string }[] = [];
  for (; prefix.assignments === true; at += 1) {
    const [, variable, value] = /^([A-Za-z_]\w*)=([^]*)$/u.exec(rest[at] ?? '') ?? [];
    if (variable === undefined || value === undefined) break;
    assignments.push({ name: variable, value });
  }
  const words = rest.slice(at);
  return words.length === 0 ? nothing : { kind: 'words', words, assignments };
}

/** Whether it is `--option=value`, or `-ovalue`, of a known option. */
function hasValue(option: string, { values = [] }: Prefix): boolean {
  const name = option.startsWith('--') ? option.slice(0, option.indexOf('=')) : option.slice(0, 2);
  return option.length > name.length && values.includes(name);
}

function readShell(name: string, rest: readonly string[]): Started {
  let command = false;
  for (const [index, word] of rest.entries()) {
    // A shell that is not known to have read `-c` reads a file, or what comes in.
    if (/^-[efux]*c?[efux]*$/u.test(word) && word !== '-') command ||= word.includes('c');
    else if (word.startsWith('-') || word.startsWith('+')) throw unknownOption(name);
    else if (command) return rest.length === index + 1 ? { kind: 'line', text: word } : refuseOperands(name);
    else break;
  }
  throw new UnreadableLine(`What “${name}” would start stands elsewhere.`);
}

function refuseOperands(name: string): never {
  throw new UnreadableLine(`“${name}” is handed more than a line.`);
}

function unknownOption(name: string): UnreadableLine {
  return new UnreadableLine(`“${name}” has an option by which it cannot be told what it starts.`);
}
