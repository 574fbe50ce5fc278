import { SkillsError } from '@skillpack/core';
import type { Judge, JudgeAnswer } from '../../judge/judge.js';
import { judgeOnce } from '../../judge/judge-once.js';
import type { LeftFile } from '../../results/eval-result.js';
import type { EvalWorkspace } from '../../trial/eval-ports.js';
import { shortText } from '../short-text.js';
import { finalAnswer } from './final-answer.js';
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

/**
 * Puts all statements to a judge at once.
 *
 * @throws what the judge throws; `MODEL_ERROR` for an answer of another form, with what it took as far as that is known.
 */
export async function askJudge(
  statements: readonly string[],
  output: OutputToCheck,
  { judge, workspace, signal }: JudgePlace,
): Promise<JudgeAnswer> {
  const files = workspace === undefined ? [] : await readFiles(output.left ?? [], workspace);
  const request = { task: output.task, answer: finalAnswer(output) ?? '', files, statements };
  return judgeOnce(judge, request, { signal });
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
