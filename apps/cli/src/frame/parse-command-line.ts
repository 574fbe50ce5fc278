import { Command as Program, CommanderError, Help, Option } from 'commander';
import type { Argument, Command, CommandOption } from './command.js';
import { commandTable, groupSummaries, type CommandRow } from './command-table.js';
import type { Invocation } from './invocation.js';
import { optionFlag } from './option-flag.js';
import { readInput } from './read-input.js';
import type { Style } from './style.js';
import { usageError } from './usage-error.js';

const exitCodes = `
Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 not found, 4 refused,
5 registry, model or network unreachable, 6 busy, 70 a defect, 74 the disk said no, 130 interrupted`;

/**
 * Reads a command line. Only the command that is called is loaded.
 *
 * @throws `USAGE`, with the nearest known word as the hint.
 */
export async function parseCommandLine(words: readonly string[], style: Style): Promise<Invocation> {
  if (asksForVersion(words)) return { kind: 'version' };
  let invocation: Invocation | undefined;
  let help = '';
  const program = createProgram(style, (text) => {
    help += text;
  });
  for (const row of commandTable) {
    const command = commandOf(program, row);
    command.action(() => undefined);
  }
  program.hook('preSubcommand', (_, group) => {
    group.hook('preSubcommand', (__, command) => prepare(command));
    return prepare(group);
  });

  async function prepare(target: Program): Promise<void> {
    const row = commandTable.find(({ name }) => name === pathOf(target));
    if (row === undefined) return;
    const command = await row.load();
    describe(target, command);
    target.action(() => {
      invocation = { kind: 'command', command, ...readInput(target, command) };
    });
  }

  const called = words[0] === 'help' ? [...words.slice(1), '--help'] : [...words];
  const command = firstWord(called);
  const unknown = command !== undefined && !program.commands.some((one) => one.name() === command);
  // The parser would answer `skills instal --help` with the help of everything, as if nothing were wrong.
  const asked = unknown ? called.filter((word) => word !== '-h' && word !== '--help') : called;
  try {
    await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: help, asked: true };
    if (error.code === 'commander.help') return { kind: 'help', text: help, asked: false };
    throw usageError(error);
  }
  return invocation ?? { kind: 'help', text: help, asked: false };
}

// Not an option of the parser, which would take it from a command that has one of its own (`skills pack --version 1.0.0`).
function asksForVersion(words: readonly string[]): boolean {
  const asked = words.findIndex((word) => word === '--version' || word === '-V');
  return asked !== -1 && firstWord(words.slice(0, asked)) === undefined;
}

/** The first word that is neither an option nor the value of one: the command. */
function firstWord(words: readonly string[]): string | undefined {
  return words.find((word, index) => !word.startsWith('-') && words[index - 1] !== '--cwd');
}

function createProgram(style: Style, write: (text: string) => void): Program {
  return new Program('skills')
    .description('Install, verify and publish Agent Skills, and run agents that use them.')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined, getOutHelpWidth: helpWidth })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: style.bold,
      subcommandTerm: (command) => command.name(),
      visibleOptions: (command) => [
        ...Help.prototype.visibleOptions(command),
        ...(command.parent === null ? [new Option('-V, --version', 'print the version')] : []),
      ],
    })
    .helpCommand(false)
    .option('--json', 'print one JSON document on stdout, and nothing else there')
    .option('-q, --quiet', 'print errors only, and what an agent answers')
    .option('--verbose', 'print every step, and where an error came from')
    .option('--no-color', 'print without colours (also: NO_COLOR)')
    .option('--cwd <dir>', 'work as if started in this folder')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', exitCodes);
}

// Piped help is the same on every machine; docs/cli.md holds it.
function helpWidth(): number {
  const { columns } = process.stdout;
  return columns > 0 ? Math.min(columns, 100) : 100;
}

function commandOf(program: Program, row: CommandRow): Program {
  const [first = '', second] = row.name.split(' ');
  if (second === undefined) {
    const command = program.command(first).description(row.summary).helpGroup(row.heading).helpCommand(false);
    // `skills eval` is a command and a group: what stands behind the name of one of its commands belongs to that.
    return command.enablePositionalOptions();
  }
  let group = program.commands.find((command) => command.name() === first);
  if (group === undefined) {
    const { summary, heading } = groupSummaries[first] ?? { summary: '', heading: row.heading };
    group = program.command(first).description(summary).helpGroup(heading).helpCommand(false);
  }
  return group.command(second).description(row.summary);
}

function pathOf(command: Program): string {
  const parent = command.parent?.parent === null ? '' : `${command.parent?.name() ?? ''} `;
  return `${parent}${command.name()}`;
}

function describe(target: Program, command: Command): void {
  target.description(command.description);
  for (const argument of Object.values(command.arguments)) {
    target.argument(argumentTerm(argument), argument.description);
  }
  for (const [name, option] of Object.entries(command.options)) target.addOption(optionOf(name, option));
  const lines = command.examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`);
  target.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function argumentTerm({ count, placeholder }: Argument): string {
  switch (count) {
    case 'one':
      return `<${placeholder}>`;
    case 'optional':
      return `[${placeholder}]`;
    case 'any':
      return `[${placeholder}...]`;
    case 'some':
      return `<${placeholder}...>`;
  }
}

function optionOf(name: string, option: CommandOption): Option {
  const flag = optionFlag(name);
  switch (option.kind) {
    case 'flag':
      return new Option(flag, option.description);
    case 'value': {
      const made = new Option(`${flag} <${option.placeholder}>`, option.description);
      return option.repeated === true ? made.argParser(withCommas) : made;
    }
    case 'number':
      return new Option(`${flag} <${option.placeholder}>`, option.description);
    case 'choice':
      return new Option(`${flag} <${option.words.join('|')}>`, option.description);
  }
}

/** An empty value is one of the list, and stays one. */
function withCommas(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before},${value}`;
}
