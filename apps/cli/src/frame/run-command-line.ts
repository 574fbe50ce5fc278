import { SkillsError } from '@skillpack/core';
import { createApp, type App } from '../app.js';
import { adviceForRoot, dataForRoot, errorForRoot, rootChoice } from './advice-for-root.js';
import type { Answer } from './answer.js';
import type { Distribution } from './distribution.js';
import { exitCodeOf } from './exit-code.js';
import type { Invocation } from './invocation.js';
import { jsonText } from './json-text.js';
import { parseCommandLine } from './parse-command-line.js';
import { createReporter } from './reporter.js';
import { reportError } from './render-error.js';
import { openTerminal, type Terminal } from './terminal.js';
import { watchInterrupts, type Interrupts } from './watch-interrupts.js';

/** Runs a command line to its end: prints, and sets the exit code. Never throws, never ends the process itself. */
export async function runCommandLine(words: readonly string[], distribution: Distribution): Promise<void> {
  // Before the command line is understood, its own errors have to be told in the form it asks for.
  const before = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const json = before.includes('--json');
  const terminal = openTerminal(process, { colour: !before.includes('--no-color') });
  const interrupts = watchInterrupts(process);
  const surroundings: Surroundings = { words, terminal, interrupts, distribution, answered: false };
  try {
    const invocation = await parseCommandLine(words, terminal.style);
    if (invocation.kind === 'command') await runCommand(invocation, surroundings);
    else printInformation(invocation, { terminal, json, version: distribution.version });
  } catch (error) {
    // A command that goes on after its answer has printed its one document.
    const asJson = json && !surroundings.answered;
    fail(error, { terminal, interrupts, json: asJson, verbose: before.includes('--verbose') });
  } finally {
    interrupts.close();
  }
}

interface Surroundings {
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  readonly distribution: Distribution;
  answered: boolean;
}

type CommandInvocation = Extract<Invocation, { kind: 'command' }>;

async function runCommand({ command, input, globals }: CommandInvocation, surroundings: Surroundings): Promise<void> {
  const { words, terminal, interrupts, distribution } = surroundings;
  const spoken = createReporter(terminal, globals);
  const choice = rootChoice(command, input);
  const reporter = { ...spoken, warn: (message: string) => spoken.warn(adviceForRoot(message, choice)) };
  await using app = createApp({ ...globals, ...distribution, words, terminal, reporter, signal: interrupts.signal });
  let found: Answer;
  try {
    // Cast: readInput made it of the very arguments and options that this command declares.
    found = await command.run(input as Parameters<typeof command.run>[0], app);
  } catch (error) {
    throw errorForRoot(await errorForDisk(error, app), choice);
  } finally {
    reporter.close();
  }
  surroundings.answered = true;
  process.exitCode = found.exitCode;
  if (globals.json) terminal.print(jsonText({ ok: true, data: dataForRoot(found.data, choice) }));
  else if (!globals.quiet || found.wanted) {
    const text = adviceForRoot(found.text(terminal.style), choice);
    if (text !== '') terminal.print(`${text}\n`);
  }
  await found.until;
}

async function errorForDisk(error: unknown, app: App): Promise<unknown> {
  if (!SkillsError.is(error, 'IO_ERROR')) return error;
  // Not loaded by a command that goes well.
  const { errorForFullDisk } = await import('./error-for-full-disk.js');
  const { errorForRunsFolder } = await import('./error-for-runs-folder.js');
  return errorForRunsFolder(await errorForFullDisk(error, app), app.runsDir);
}

function printInformation(
  invocation: Exclude<Invocation, CommandInvocation>,
  { terminal, json, version }: { terminal: Terminal; json: boolean; version: string },
): void {
  if (invocation.kind === 'help' && !invocation.asked) {
    process.exitCode = 2;
    if (json) throw new SkillsError('USAGE', 'No command was given.', { hint: 'Run `skills --help` for all of them.' });
  }
  const data = invocation.kind === 'help' ? { help: invocation.text } : { version };
  if (json) terminal.print(jsonText({ ok: true, data }));
  else terminal.print(invocation.kind === 'help' ? invocation.text : `${version}\n`);
}

interface FailOptions {
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  readonly json: boolean;
  readonly verbose: boolean;
}

function fail(error: unknown, { terminal, interrupts, json, verbose }: FailOptions): void {
  const interrupted = interrupts.exitCode();
  const told = interrupted === undefined ? error : asInterruption(error);
  const report = reportError(told, verbose);
  process.exitCode = interrupted ?? exitCodeOf(told);
  if (json) terminal.print(jsonText({ ok: false, error: report.json }));
  if (!json || verbose) terminal.printError(report.text(terminal.errorStyle));
}

// An abort comes back as whatever the library at work makes of it.
function asInterruption(error: unknown): unknown {
  if (SkillsError.is(error, 'INTERRUPTED')) return error;
  return new SkillsError('INTERRUPTED', 'Interrupted.', { cause: error });
}
