import { parseArgs } from 'node:util';

import { checks } from './check/checks.ts';
import { passed, runChecks, type CheckOutcome } from './check/run-checks.ts';

const help = `pnpm check [name…] [--fix] [--no-tests]

Runs what has to be true of the workspace, all of it or the named checks:
  ${checks.map(({ name }) => name).join(', ')}

  --fix       mend what a program can mend: lint, formatting, the recorded public lists
  --no-tests  everything but the tests`;

function describe({ check, result }: CheckOutcome): string {
  if (result === 'skipped') return `skip  ${check.name} (${check.after ?? ''} failed)`;
  const seconds = `${(result.milliseconds / 1000).toFixed(1)} s`;
  return `${result.passed ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(10)} ${seconds.padStart(8)}`;
}

async function runChosen(
  names: readonly string[],
  options: { readonly fix: boolean; readonly tests: boolean },
): Promise<boolean> {
  const named = checks.filter(({ name }) =>
    names.length > 0 ? names.includes(name) : options.tests || name !== 'tests',
  );
  const chosen = checks.filter((check) => named.includes(check) || named.some(({ after }) => after === check.name));
  const outcomes = await runChecks(chosen, {
    cwd: process.cwd(),
    fix: options.fix,
    onOutcome: (outcome) => console.log(describe(outcome)),
  });
  const failed = outcomes.filter((outcome) => !passed(outcome));
  for (const {
    check: { name, command },
    result,
  } of failed) {
    if (result !== 'skipped') console.log(`\n── ${name}: ${command.join(' ')}\n${result.output.trim()}`);
  }
  console.log(`\n${outcomes.length - failed.length} of ${outcomes.length} checks passed`);
  return failed.length === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    fix: { type: 'boolean' },
    tests: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h' },
  },
});
const unknown = positionals.filter((name) => !checks.some((known) => known.name === name));
if (values.help === true) {
  console.log(help);
} else if (unknown.length > 0) {
  console.error(`There is no check named ${unknown.join(', ')}.\n\n${help}`);
  process.exitCode = 2;
} else if (!(await runChosen(positionals, { fix: values.fix ?? false, tests: values.tests }))) {
  process.exitCode = 1;
}
