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
import { unknown, type OutputVerdict } from './output/output-verdict.js';
import type { OutputToCheck } from './output/output-to-check.js';
import { readSubject } from './output/read-subject.js';
import type { TrialChecks } from './trial-checks.js';

type OutputPorts = CheckPorts & { readonly signal: AbortSignal };
type Rubric = OutputCheck & { readonly kind: 'rubric' };
type TextCheck = Extract<OutputCheck, { readonly of: unknown }>;

/**
 * Holds answers and files to what is expected of them, one result a check, in their order. All rubrics are put to the
 * judge at once. Of an answer or a file that is not there, nothing holds, and nothing negated either.
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
  const judged = await judgeRubrics(rubrics, output, ports);
  for (const [at, rubric] of rubrics.entries()) made.set(rubric, resultOf(rubric, verdictOf(judged, at)));
  return {
    checks: checks.flatMap((check) => made.get(check) ?? []),
    ...(judged !== undefined && { judge: judged.spent }),
  };
}

function resultOf(check: OutputCheck, { holds, evidence }: OutputVerdict): CheckResult {
  const kind = check.kind === 'rubric' ? 'rubric' : 'output';
  const verdict = holds === undefined ? 'not_judged' : holds === check.negated ? 'failed' : 'passed';
  return makeCheck({ kind, text: describeCheck(check), verdict, evidence });
}

async function makeVerdict(
  check: Exclude<OutputCheck, Rubric>,
  { answers }: OutputToCheck,
  { workspace, runCheck, signal }: OutputPorts,
): Promise<OutputVerdict> {
  if (check.kind === 'file') return checkFile(check, workspace);
  if (check.kind === 'script') return checkScript(check, { runCheck, answer: answers.at(-1) ?? '', signal });
  const subject = await readSubject(check.of, { answers, workspace });
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

async function judgeRubrics(
  rubrics: readonly Rubric[],
  output: OutputToCheck,
  { judge, workspace, signal }: OutputPorts,
): Promise<JudgeAnswer | undefined> {
  if (rubrics.length === 0 || judge === undefined) return undefined;
  const statements = rubrics.map(({ statement }) => statement);
  return askJudge(statements, output, { judge, workspace, signal });
}

function verdictOf(judged: JudgeAnswer | undefined, at: number): OutputVerdict {
  const verdict = judged?.verdicts[at];
  return verdict === undefined ? unknown('There is no judge.') : { holds: verdict.passed, evidence: verdict.evidence };
}
