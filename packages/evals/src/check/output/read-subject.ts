import { SkillsError, visibleText } from '@skillpack/core';
import type { OutputOf } from '../../case/expectations.js';
import type { EvalWorkspace } from '../../trial/eval-ports.js';
import { finalAnswer } from './final-answer.js';
import type { OutputToCheck } from './output-to-check.js';

/** Bytes of a file that is looked into. */
const maxBytes = 4 * 1024 * 1024;

/** What a check looks at, or why there is nothing to look at; `missing`: it is not there, and should be. */
export type Subject =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' | 'unknown'; readonly why: string };

/** Where outputs are. */
export interface SubjectPlaces extends Pick<OutputToCheck, 'task' | 'answers'> {
  readonly workspace: EvalWorkspace | undefined;
}

/** An answer, or the text of a file. */
export async function readSubject(of: OutputOf, { task, answers, workspace }: SubjectPlaces): Promise<Subject> {
  if (of.kind === 'answer') {
    const text = of.turn === undefined ? finalAnswer({ task, answers }) : answers[of.turn - 1];
    const which = of.turn === undefined ? 'no answer' : `no answer to line ${of.turn}`;
    return text === undefined ? { kind: 'missing', why: `There is ${which}.` } : { kind: 'text', text };
  }
  if (workspace === undefined) return { kind: 'unknown', why: 'There is no workspace.' };
  try {
    return { kind: 'text', text: new TextDecoder().decode(await workspace.read(of.path, { maxBytes })) };
  } catch (error) {
    if (SkillsError.is(error, 'FILE_NOT_FOUND'))
      return { kind: 'missing', why: `There is no file ${visibleText(of.path)}.` };
    if (SkillsError.is(error, 'FILE_TOO_LARGE') || SkillsError.is(error, 'PATH_TRAVERSAL_BLOCKED')) {
      return { kind: 'unknown', why: error.message };
    }
    throw error;
  }
}
