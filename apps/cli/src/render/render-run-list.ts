import type { RunList, RunRow } from '../agent/list-runs.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

/** The runs, a line each, and behind them what is broken. */
export function renderRunList({ runs, older, broken }: RunList, style: Style): string {
  const parts = [
    ...(runs.length === 0 ? [] : [columns(runs.map((run) => rowOf(run, style)))]),
    ...(older > 0 ? [`${count(older, 'older run')}; --limit shows more.`] : []),
    ...(broken.length === 0 ? [] : [columns(broken.map(({ id, message }) => [id, style.red('broken'), message]))]),
  ];
  return parts.length === 0 ? 'No run was recorded here yet.' : parts.join('\n');
}

function rowOf(run: RunRow, style: Style): readonly string[] {
  const more = run.requests > 1 ? ` (+${run.requests - 1})` : '';
  return [
    style.bold(run.id),
    stateOf(run, style),
    shortened(run.skills.join(', '), 24),
    count(run.turns, 'turn'),
    duration(run.duration),
    `${shortened(run.request ?? '', 60)}${more}${goOn(run, style)}`,
  ];
}

function goOn({ cutOff, id, problem }: RunRow, style: Style): string {
  const otherwise = problem === null ? '' : style.yellow('; run.json says otherwise');
  return `${cutOff ? style.dim(`; skills runs resume ${id}`) : ''}${otherwise}`;
}

function stateOf({ status, stop, cutOff }: RunRow, style: Style): string {
  if (cutOff) return style.yellow('cut off');
  if (stop !== null && stop !== 'final_answer') return style.yellow(stop);
  return status === 'finished' ? style.green('answered') : style.yellow(status);
}
