import { visibleText } from '@skillpack/core';
import type { RunList, RunRow } from '../agent/list-runs.js';
import { resumeCommand, waitsForAnswer } from '../agent/resume-command.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

/**
 * The runs, a line each, and behind them what is broken.
 *
 * @param words of the command line, without the program.
 */
export function renderRunList({ runs, older, broken }: RunList, style: Style, words: readonly string[]): string {
  const parts = [
    ...(runs.length === 0 ? [] : [columns(runs.map((run) => rowOf(run, { style, words })))]),
    ...(older > 0 ? [`${count(older, 'older run')}; --limit shows more.`] : []),
    ...(broken.length === 0 ? [] : [columns(broken.map(({ id, message }) => [id, style.red('broken'), message]))]),
  ];
  return parts.length === 0 ? 'No run was recorded here yet.' : parts.join('\n');
}

interface RowOptions {
  readonly style: Style;
  readonly words: readonly string[];
}

function rowOf(run: RunRow, options: RowOptions): readonly string[] {
  const more = run.requests > 1 ? ` (+${run.requests - 1})` : '';
  return [
    options.style.bold(run.id),
    stateOf(run, options),
    shortened(run.skills.join(', '), 24),
    count(run.turns, 'turn'),
    duration(run.duration),
    `${shortened(run.request ?? '', 60)}${more}${noteOf(run, options)}`,
  ];
}

function noteOf(run: RunRow, { style, words }: RowOptions): string {
  const goOn = run.cutOff ? style.dim(`; ${visibleText(resumeCommand(run, words))}`) : '';
  return run.problem === null ? goOn : `${goOn}${style.yellow('; run.json says otherwise')}`;
}

function stateOf(run: RunRow, { style }: RowOptions): string {
  const { status, stop, cutOff } = run;
  if (cutOff) return style.yellow(waitsForAnswer(run) ? 'question' : 'cut off');
  if (stop !== null && stop !== 'final_answer') return style.yellow(stop);
  return status === 'finished' ? style.green('answered') : style.yellow(status);
}
