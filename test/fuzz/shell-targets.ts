import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readCommandLine, type SimpleCommand } from '@skillpack/core';
import { fuzzTarget, type FuzzTarget } from './fuzz-target.js';
import { madeUpNames, shellLine } from './shell-lines.js';
import { anyText, editedText } from './text-pieces.js';

function commandsOf(text: string): readonly SimpleCommand[] | undefined {
  const line = readCommandLine(text);
  if (line.kind === 'commands') return line.commands;
  match(line.reason, /^[A-Z“][^\p{Cc}\p{Cf}]{1,300}\.$/u);
  return undefined;
}

const commandLine = fuzzTarget({
  name: 'command-line',
  input: fc.oneof(shellLine, editedText(shellLine), anyText),
  judge(text: string) {
    const commands = commandsOf(text);
    for (const { words } of commands ?? []) {
      // Nothing is made up: a word has the characters of the line, in their order.
      for (const word of words) ok(standsIn(bare(text), bare(word)), `${JSON.stringify(word)} does not stand there`);
    }
    return commands !== undefined;
  },
  sample: 2_000,
});

function standsIn(text: string, word: string): boolean {
  let at = 0;
  for (const character of word) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function bare(text: string): string {
  return text.replaceAll(/["'\\\s]/gu, '');
}

const syntax = fuzzTarget({
  name: 'command-line-syntax',
  input: shellLine,
  judge(text: string) {
    const commands = commandsOf(text);
    if (commands === undefined) return false;
    strictEqual(text.includes('\0'), false, 'no shell can be given a zero byte');
    strictEqual(syntaxErrorOf('bash', text), '', 'bash finds an error in it');
    strictEqual(syntaxErrorOf('dash', text), '', 'dash finds an error in it');
    return true;
  },
  sample: 150,
});

function syntaxErrorOf(shell: string, text: string): string {
  const { status, stderr } = spawnSync(shell, ['-n', '-c', text], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  return status === 0 ? '' : `${status} ${stderr}`;
}

/** What a shell really starts is among what was read, word by word. */
function judgeWithShell(shell: string, text: string): boolean {
  const commands = commandsOf(text);
  // Nothing else is ever run.
  if (commands === undefined || /\/(?!dev\/null)|\(\s*\)/u.test(text.replaceAll('/dev/null', ''))) return false;
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-shell-'));
  try {
    const { started, stderr } = runRecorded(shell, { text, folder });
    doesNotMatch(stderr, /syntax error/iu);
    const read = commands.map(({ words }) => JSON.stringify(words));
    for (const words of started) {
      const at = read.indexOf(JSON.stringify(words));
      ok(at >= 0, `${shell} starts ${JSON.stringify(words)}, which is not among ${read.join(' ') || 'nothing'}`);
      read.splice(at, 1);
    }
    const names = commands.map(({ words }) => words[0] ?? '');
    const missing = [...stderr.matchAll(/(\S+): (?:command )?not found$/gmu)].map(([, name]) => name);
    deepStrictEqual(
      missing.filter((name) => !names.includes(name ?? '')),
      [],
      'it looks for another program',
    );
    return started.length > 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Recorded {
  readonly started: readonly (readonly string[])[];
  readonly stderr: string;
}

/** Runs a line where there are no programs but made-up ones, which note their words, and some that start others. */
function runRecorded(shell: string, { text, folder }: { text: string; folder: string }): Recorded {
  const [programs, records, work] = ['programs', 'records', 'work'].map((name) => join(folder, name));
  if (programs === undefined || records === undefined || work === undefined)
    throw new Error('There are three of them.');
  for (const path of [programs, records, work]) mkdirSync(path);
  for (const name of ['x', 'xy', '-y']) writeFileSync(join(work, name), '');
  for (const [index, name] of madeUpNames.entries()) {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/dash\nprintf '%s\\0' "\${0##*/}" "$@" > '${records}/'$$\nexit ${index % 2}\n`);
    chmodSync(path, 0o755);
  }
  for (const name of ['env', 'nice', 'nohup', 'timeout', 'setsid', 'stdbuf'])
    symlinkSync(`/usr/bin/${name}`, join(programs, name));
  for (const name of ['sh', 'bash', 'dash']) symlinkSync(`/bin/${name}`, join(programs, name));
  const env = { PATH: programs, HOME: work, LC_ALL: 'C.UTF-8', FUNCNEST: '4', x: 'v -w *', ...noted(records) };
  // Whatever goes on in the background holds the last descriptor, and is waited for.
  const { stderr } = spawnSync(`/bin/${shell}`, ['-c', text], {
    cwd: work,
    env,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
  });
  const started = readdirSync(records).map((name) =>
    readFileSync(join(records, name), 'utf8').split('\0').slice(0, -1),
  );
  return { started, stderr };
}

/** Has bash note the words of programs that are not there, too. */
function noted(records: string): NodeJS.ProcessEnv {
  const note = `() { printf '%s\\0' "$@" > '${records}/'not-$BASHPID; }`;
  return { 'BASH_FUNC_command_not_found_handle%%': note };
}

const targets: readonly FuzzTarget[] = [
  syntax,
  fuzzTarget({
    name: 'command-line-bash',
    input: shellLine,
    judge: (text: string) => judgeWithShell('bash', text),
    sample: 150,
  }),
  fuzzTarget({
    name: 'command-line-dash',
    input: shellLine,
    judge: (text: string) => judgeWithShell('dash', text),
    sample: 150,
  }),
];

/** Command lines, against what real shells make of them. */
export const shellTargets: readonly FuzzTarget[] = [
  commandLine,
  // Elsewhere other shells are behind these names, or none.
  ...(process.platform === 'linux' ? targets : []),
];
