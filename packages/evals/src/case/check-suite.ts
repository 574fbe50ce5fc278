import { expectOptions, quoted } from '@skillpack/core';
import { caseIdRule, isCaseId } from './case-id.js';
import { invalidCase, type CaseProblem } from './case-place.js';
import { caseProblems } from './case-problems.js';
import type { EvalSuite } from './eval-case.js';
import { nameProblems } from './name-problems.js';
import { textProblems } from './text-problems.js';

/** How a suite is looked at. */
export interface CheckSuiteOptions {
  /** Names it in messages. @default the name of the suite */
  readonly fileName?: string | undefined;
}

const mostProblems = 20;
const mostCompileWork = 1_000_000;
const leastSchemaWork = 250;

/**
 * Looks whether a suite, wherever it is from, can be run: ids are there once, paths stay in the workspace, patterns and
 * schemas are such, and what is expected can come true.
 *
 * @throws `INVALID_CASE`: the first problem with its place, and up to 20 of them as data.
 */
export function checkSuite(suite: EvalSuite, options: CheckSuiteOptions = {}): void {
  expectOptions(options, { of: 'checkSuite', names: { fileName: true } });
  const problems: CaseProblem[] = [];
  for (const problem of suiteProblems(suite)) {
    problems.push(problem);
    if (problems.length === mostProblems) break;
  }
  if (problems.length > 0) throw invalidCase(options.fileName ?? quoted(suite.name, 100), problems);
}

function* suiteProblems(suite: EvalSuite): Iterable<CaseProblem> {
  if (!isCaseId(suite.name)) {
    yield { path: 'name', message: `expected ${caseIdRule}, found ${quoted(suite.name, 60)}` };
  }
  yield* nameProblems(suite.skills, 'skills');
  const work = compileWork(suite);
  if (work > mostCompileWork) {
    yield {
      path: 'cases',
      message: `its patterns and schemas have ${work} characters, at most ${mostCompileWork} are compiled`,
    };
    return;
  }
  const ids = new Map<string, string>();
  for (const [index, each] of suite.cases.entries()) {
    const at = `cases.${index}`;
    yield* textProblems(each, at);
    yield* idProblems(each.id, ids, `${at}.id`);
    yield* caseProblems(each, at);
  }
}

/** What is to be compiled in a suite, each once: some patterns of a thousand characters take a twentieth of a second. */
function compileWork({ cases }: EvalSuite): number {
  const lengths = new Map<string, number>();
  for (const check of cases.flatMap(({ expected }) => expected.output)) {
    if (check.kind === 'regex') lengths.set(`${check.flags}/${check.pattern}`, check.pattern.length);
    if (check.kind !== 'json' || check.schema === undefined) continue;
    const json = JSON.stringify(check.schema);
    lengths.set(json, Math.max(json.length, leastSchemaWork));
  }
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

function* idProblems(id: string, ids: Map<string, string>, path: string): Iterable<CaseProblem> {
  if (!isCaseId(id)) {
    yield { path, message: `expected ${caseIdRule}, found ${quoted(id, 60)}` };
    return;
  }
  const other = ids.get(id.toLowerCase());
  if (other === id) yield { path, message: `there is a case ${quoted(id, 100)} already` };
  else if (other !== undefined) {
    yield {
      path,
      message: `there is a case ${quoted(other, 100)} already: on some disks ${quoted(id, 100)} is the same name`,
    };
  }
  ids.set(id.toLowerCase(), id);
}
