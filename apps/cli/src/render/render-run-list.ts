import { visibleText } from '@skillpack/core';
import type { RunList, RunRow } from '../agent/list-runs.js';
import { resumeCommand, waitsForAnswer, type ResumePlace } from '../agent/resume-command.js';
import { staysOpen } from '../agent/stays-open.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

/**
 * The runs, a line each, and behind them what is broken.
 */
export function renderRunList({ runs, older, others, broken }: RunList, style: Style, place: ResumePlace): string {
  const parts = [
    ...(runs.length === 0 ? [] : [columns(runs.map((run) => rowOf(run, { style, place })))]),
    ...(older > 0 ? [`${count(older, 'older run')}; --limit shows more.`] : []),
    ...(others > 0 ? [`${count(others, 'run')} of other projects ${others === 1 ? 'lies' : 'lie'} here, too.`] : []),
    ...(broken.length === 0 ? [] : [columns(broken.map(({ id, message }) => [id, style.red('broken'), message]))]),
  ];
  return parts.length === 0 ? 'No run was recorded here yet.' : parts.join('\n');
}

interface RowOptions {
  readonly style: Style;
  readonly place: ResumePlace;
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

function noteOf(run: RunRow, { style, place }: RowOptions): string {
  const goOn = run.cutOff ? style.dim(`; ${visibleText(resumeCommand(run, place))}`) : '';
  return run.problem === null ? goOn : `${goOn}${style.yellow('; run.json says otherwise')}`;
}

function stateOf(run: RunRow, { style }: RowOptions): string {
  const { status, stop, cutOff } = run;
  if (cutOff && !staysOpen(stop)) return style.yellow(waitsForAnswer(run) ? 'question' : 'cut off');
  if (stop !== null && stop !== 'final_answer') return style.yellow(stop);
  return status === 'finished' ? style.green('answered') : style.yellow(status);
}
