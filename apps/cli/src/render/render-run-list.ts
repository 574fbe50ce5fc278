import type { RunList, RunRow } from '../agent/list-runs.js';
import type { Style } from '../frame/style.js';
import { columns } from './columns.js';
import { count } from './count.js';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

/** The runs, a line each. */
export function renderRunList({ runs, older }: RunList, style: Style): string {
  if (runs.length === 0) return 'No run was recorded here yet.';
  const rows = runs.map((run) => [
    style.bold(run.id),
    stateOf(run, style),
    shortened(run.skills.join(', '), 24),
    count(run.turns, 'turn'),
    duration(run.duration),
    `${shortened(run.request ?? '', 60)}${run.requests > 1 ? ` (+${run.requests - 1})` : ''}${goOn(run, style)}`,
  ]);
  return `${columns(rows)}${older > 0 ? `\n${count(older, 'older run')}; --limit shows more.` : ''}`;
}

function goOn({ cutOff, id }: RunRow, style: Style): string {
  return cutOff ? style.dim(`; skills runs resume ${id}`) : '';
}

function stateOf({ status, stop, cutOff }: RunRow, style: Style): string {
  if (cutOff) return style.yellow('cut off');
  if (stop !== null && stop !== 'final_answer') return style.yellow(stop);
  return status === 'finished' ? style.green('answered') : style.yellow(status);
}
