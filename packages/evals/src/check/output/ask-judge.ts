import { quoted, SkillsError } from '@skillpack/core';
import type { Judge, JudgeAnswer } from '../../judge/judge.js';
import type { LeftFile } from '../../results/eval-result.js';
import type { EvalWorkspace } from '../../trial/eval-ports.js';
import { shortText } from '../short-text.js';
import type { OutputToCheck } from './output-to-check.js';

/** What a judge is shown of files: how many, and UTF-16 code units of each and of all. */
const mostFiles = 20;
const longestFile = 8_000;
const longestFiles = 60_000;

/** What a judge is asked in. */
export interface JudgePlace {
  readonly judge: Judge;
  readonly workspace: EvalWorkspace | undefined;
  readonly signal: AbortSignal;
}

/** Puts all statements to a judge at once. @throws what the judge throws; `MODEL_ERROR` where it does not say one verdict a statement. */
export async function askJudge(
  statements: readonly string[],
  output: OutputToCheck,
  { judge, workspace, signal }: JudgePlace,
): Promise<JudgeAnswer> {
  const files = workspace === undefined ? [] : await readFiles(output.left ?? [], workspace);
  const request = { task: output.task, answer: output.answers.at(-1) ?? '', files, statements };
  const answer = await judge.judge(request, { signal });
  if (answer.verdicts.length === statements.length) return answer;
  throw new SkillsError(
    'MODEL_ERROR',
    `The judge ${quoted(judge.name)} gave ${answer.verdicts.length} verdicts on ${statements.length} statements.`,
  );
}

async function readFiles(
  left: readonly LeftFile[],
  workspace: EvalWorkspace,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const files: { path: string; text: string }[] = [];
  let room = longestFiles;
  for (const { path } of left) {
    if (files.length === mostFiles || room <= 0) break;
    const text = await readText(path, workspace);
    if (text === undefined) continue;
    const shown = shortText(text, Math.min(longestFile, room));
    files.push({ path, text: shown });
    room -= shown.length;
  }
  return files;
}

/** `undefined` for what is no text, is too large, or went away. */
async function readText(path: string, workspace: EvalWorkspace): Promise<string | undefined> {
  try {
    const bytes = await workspace.read(path, { maxBytes: 1_048_576 });
    if (bytes.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || SkillsError.is(error)) return undefined;
    throw error;
  }
}
