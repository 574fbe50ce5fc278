import { checkAborted } from '@skillpack/core';
import type { OutputCheck } from '../case/expectations.js';
import type { JudgeAnswer } from '../judge/judge.js';
import type { CheckPorts } from './check-ports.js';
import type { CheckResult } from './check-result.js';
import { makeCheck } from './make-check.js';
import { askJudge } from './output/ask-judge.js';
import { checkFile } from './output/check-file.js';
import { checkJson } from './output/check-json.js';
import { checkRegex } from './output/check-regex.js';
import { checkScript } from './output/check-script.js';
import { checkContains, checkEquals, checkStartsWith } from './output/check-text.js';
import { checkSimilar, checkWords } from './output/check-words.js';
import { describeCheck } from './output/describe-check.js';
import { finalAnswer } from './output/final-answer.js';
import { unknown, type OutputVerdict } from './output/output-verdict.js';
import type { OutputToCheck } from './output/output-to-check.js';
import { readSubject } from './output/read-subject.js';
import type { TrialChecks } from './trial-checks.js';

/** What checks of an output are made with. */
export type OutputPorts = CheckPorts & { readonly signal: AbortSignal };
type Rubric = OutputCheck & { readonly kind: 'rubric' };
type TextCheck = Extract<OutputCheck, { readonly of: unknown }>;

/**
 * Holds answers and files to what is expected of them, one result a check, in their order. All rubrics are put to the
 * judge at once, unless the trial has failed already. Of an answer or a file that is not there, nothing holds, and nothing negated either.
 *
 * @throws what the judge throws, and `INTERRUPTED` where it was cancelled.
 */
export async function checkOutput(
  checks: readonly OutputCheck[],
  output: OutputToCheck,
  ports: OutputPorts,
): Promise<TrialChecks> {
  const rubrics = checks.filter((check) => check.kind === 'rubric');
  const made = new Map<OutputCheck, CheckResult>();
  for (const check of checks) {
    checkAborted(ports.signal, 'The check of a trial');
    if (check.kind !== 'rubric') made.set(check, resultOf(check, await makeVerdict(check, output, ports)));
  }
  const failed = (output.failed ?? false) || [...made.values()].some(({ verdict }) => verdict === 'failed');
  const judged = await judgeRubrics(rubrics, { ...output, failed }, ports);
  for (const [at, rubric] of rubrics.entries()) made.set(rubric, resultOf(rubric, judged.verdictOf(rubric, at)));
  return {
    checks: checks.flatMap((check) => made.get(check) ?? []),
    ...(judged.spent !== undefined && { judge: judged.spent }),
  };
}

function resultOf(check: OutputCheck, { holds, evidence }: OutputVerdict): CheckResult {
  const kind = check.kind === 'rubric' ? 'rubric' : 'output';
  const verdict = holds === undefined ? 'not_judged' : holds === check.negated ? 'failed' : 'passed';
  return makeCheck({ kind, text: describeCheck(check), verdict, evidence });
}

async function makeVerdict(
  check: Exclude<OutputCheck, Rubric>,
  output: OutputToCheck,
  { workspace, runCheck, signal }: OutputPorts,
): Promise<OutputVerdict> {
  if (check.kind === 'file') return checkFile(check, workspace);
  if (check.kind === 'script') return checkScript(check, { runCheck, answer: finalAnswer(output) ?? '', signal });
  const subject = await readSubject(check.of, { ...output, workspace });
  if (subject.kind === 'text') return checkText(check, subject.text);
  return subject.kind === 'unknown' ? unknown(subject.why) : { holds: check.negated, evidence: subject.why };
}

function checkText(check: TextCheck, text: string): OutputVerdict {
  switch (check.kind) {
    case 'contains':
      return checkContains(check, text);
    case 'equals':
      return checkEquals(check, text);
    case 'starts_with':
      return checkStartsWith(check, text);
    case 'regex':
      return checkRegex(check, text);
    case 'json':
      return checkJson(check, text);
    case 'words':
      return checkWords(check, text);
    case 'similar':
      return checkSimilar(check, text);
  }
}

interface Judged {
  readonly spent?: JudgeAnswer['spent'];
  readonly verdictOf: (rubric: Rubric, at: number) => OutputVerdict;
}

/** Whoever costs money is not asked about a trial that has failed whatever is said of it. */
async function judgeRubrics(
  rubrics: readonly Rubric[],
  output: OutputToCheck,
  { judge, workspace, signal }: OutputPorts,
): Promise<Judged> {
  if (finalAnswer(output) === undefined) {
    return { verdictOf: ({ negated }) => ({ holds: negated, evidence: 'There is no answer.' }) };
  }
  if (judge === undefined) return { verdictOf: () => unknown('There is no judge.') };
  if (output.failed === true) {
    return { verdictOf: () => unknown('The trial has failed already: the judge was not asked.') };
  }
  if (rubrics.length === 0) return { verdictOf: () => unknown('Nothing was asked.') };
  const statements = rubrics.map(({ statement }) => statement);
  const { verdicts, spent } = await askJudge(statements, output, { judge, workspace, signal });
  return {
    spent,
    verdictOf: (_rubric, at) => {
      const { passed, evidence } = verdicts[at] ?? { passed: undefined, evidence: 'There is no verdict.' };
      return { holds: passed, evidence };
    },
  };
}
