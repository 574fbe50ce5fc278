import type { RunEvent } from '@skillpack/core';
import { shellLine } from '../agent/approving-command.js';
import { folderOption } from '../agent/kept-options.js';
import type { Reporter } from '../frame/reporter.js';
import { count } from './count.js';
import { followRun } from './follow-run.js';

/**
 * Tells the steps of a new run, and, once, how many of its skills the model is not shown in words.
 *
 * @param words those of the command line, without the program.
 */
export function followAgent(reporter: Reporter, words: readonly string[]): (event: RunEvent) => void {
  const follow = followRun(reporter);
  let told = false;
  return (event) => {
    follow(event);
    if (told || event.type !== 'model_requested') return;
    const { full, short, named, hidden } = event.catalogue;
    if (named + hidden === 0) return;
    told = true;
    const all = count(full + short + named + hidden, 'skill');
    const parts = [
      ...(named === 0 ? [] : [`${named} by name alone`]),
      ...(hidden === 0 ? [] : [`${hidden} not at all`]),
    ];
    reporter.step(
      `Of ${all}, the model is shown ${parts.join(' and ')}; it can search them. ` +
        `\`${shellLine(['skills', 'list', ...folderOption(words)])}\` shows all, and --skill begins with those that you name.`,
    );
  };
}
