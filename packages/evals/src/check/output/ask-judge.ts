import { quoted, SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import type { Judge, JudgeAnswer } from '../../judge/judge.js';
import { judgeSpentSchema } from '../../judge/judge-spent.js';
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

const answerSchema = z.lazy(() =>
  z.object({ verdicts: z.array(z.object({ passed: z.boolean(), evidence: z.string() })), spent: judgeSpentSchema }),
);

/**
 * Puts all statements to a judge at once. A judge may be anybody's: what it says is taken where it is yes or no on each
 * statement, and numbers of what it took.
 *
 * @throws what the judge throws; `MODEL_ERROR` for an answer of another form, with what it took as far as that is known.
 */
export async function askJudge(
  statements: readonly string[],
  output: OutputToCheck,
  { judge, workspace, signal }: JudgePlace,
): Promise<JudgeAnswer> {
  const files = workspace === undefined ? [] : await readFiles(output.left ?? [], workspace);
  const request = { task: output.task, answer: output.answers.at(-1) ?? '', files, statements };
  const answer: unknown = await judge.judge(request, { signal });
  const { data } = answerSchema.safeParse(answer);
  if (data?.verdicts.length === statements.length) return data;
  const given = data === undefined ? 'no verdicts that can be read' : `${data.verdicts.length} verdicts`;
  throw new SkillsError(
    'MODEL_ERROR',
    `The judge ${quoted(judge.name)} gave ${given} on ${statements.length} statements.`,
    {
      hint: 'A judge says passed, true or false, and evidence, a text, of each statement, and what it spent.',
      data: { judge: spentIn(answer) },
    },
  );
}

function spentIn(answer: unknown): JudgeAnswer['spent'] | undefined {
  return z.object({ spent: judgeSpentSchema }).safeParse(answer).data?.spent;
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
