import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the system calls of a process can be recorded here: on Linux, with strace, where ptrace is allowed. */
export const recording = process.platform === 'linux' && spawnSync('strace', ['true']).status === 0;

const recorded = [
  ['openat', 'write', 'pwrite64', 'ftruncate', 'mkdir', 'rename', 'renameat2', 'link', 'symlink', 'unlink', 'unlinkat'],
  ['rmdir', 'fsync', 'fdatasync', 'sync', 'syncfs', 'copy_file_range', 'sendfile', 'writev', 'chmod', 'fchmod'],
].flat();

/** A system call that was successful. */
export interface RecordedCall {
  readonly name: string;
  /** Its arguments that are strings, in their order. */
  readonly strings: readonly Buffer[];
  /** The paths of its arguments that are descriptors; for `openat`, that of the folder it starts at. */
  readonly descriptors: readonly string[];
  /** All arguments as strace writes them, without what stands in quotation marks. */
  readonly rest: string;
  readonly result: number;
}

/** Runs a process to its end and records what it does to files, in the order in which the calls ended. */
export function recordCalls(command: readonly string[], folder: string): readonly RecordedCall[] {
  const log = join(folder, 'strace.log');
  const options = ['-f', '-y', '-qq', '-s', '10000000', '-e', 'signal=none', '-e', `trace=${recorded.join(',')}`];
  const { status, stderr } = spawnSync('strace', [...options, '-o', log, ...command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '1' },
  });
  if (status !== 0) throw new Error(`the traced process ended with ${status}: ${stderr}`);
  return wholeLines(readFileSync(log, 'latin1')).flatMap(parseLine);
}

/** A call during which another thread made one stands on two lines; here it stands where it ended. */
function wholeLines(log: string): readonly string[] {
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/u.exec(line) ?? [];
    const unfinished = /^(.*) <unfinished \.\.\.>$/u.exec(text);
    if (unfinished !== null) {
      begun.set(thread, unfinished[1] ?? '');
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/u.exec(text);
    return [resumed === null ? text : `${begun.get(thread) ?? ''}${resumed[1] ?? ''}`];
  });
}

const quoted = /"((?:[^"\\]|\\.)*)"/gu;

function parseLine(line: string): readonly RecordedCall[] {
  const [, name = '', args = '', result = '-1'] = /^(\w+)\((.*)\) += (-?\d+)/u.exec(line) ?? [];
  if (Number(result) < 0) return [];
  const rest = args.replaceAll(quoted, '');
  return [
    {
      name,
      strings: [...args.matchAll(quoted)].map(([, text = '']) => unescape(text)),
      descriptors: [...rest.matchAll(/<([^>]*)>/gu)].map(([, path = '']) => path),
      rest,
      result: Number(result),
    },
  ];
}

const letters: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, '"': 34, '\\': 92 };

/** The bytes of a string as C writes it. */
function unescape(text: string): Buffer {
  const bytes = [...text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\])/gsu)].map(([, octal, letter, plain]) => {
    if (octal !== undefined) return Number.parseInt(octal, 8);
    return letter === undefined ? (plain ?? '').charCodeAt(0) : (letters[letter] ?? letter.charCodeAt(0));
  });
  return Buffer.from(bytes);
}
