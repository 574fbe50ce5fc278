import { setTimeout } from 'node:timers/promises';
import { SkillsError } from '@skillpack/core';
import { reportError } from '../frame/render-error.js';
import type { Style } from '../frame/style.js';
import type { Terminal } from '../frame/terminal.js';
import { visibleData } from '../frame/visible-data.js';
import type { EvalData } from './eval-data.js';
import { runEvalRound, type EvalRound } from './eval-round.js';
import type { EvalSession } from './eval-session.js';
import { surveyPlaces } from './survey-places.js';

/** How and where rounds are told. */
export interface WatchTelling {
  readonly terminal: Pick<Terminal, 'style' | 'print'>;
  render(data: EvalData, style: Style): string;
}

/** Milliseconds between two looks; an editor that writes several files is done by then. */
const pause = 400;

/**
 * Holds a round whenever a file of a case or a skill is another one than in the last round, until it is cancelled. What is
 * wrong with a file is told, and waited for. Files are looked at, since the events of some file systems tell nothing.
 *
 * @param first the round before, whose places are watched, and whose ranks are what later ones are compared with.
 */
export async function watchEvals(session: EvalSession, first: EvalRound, telling: WatchTelling): Promise<void> {
  const { signal, reporter } = session.ports;
  let { places, seen } = first;
  reporter.step('Waiting for changes; Ctrl-C ends it.');
  while (await stillWanted(signal)) {
    const now = surveyPlaces(places);
    if (now === seen) continue;
    seen = now;
    try {
      const round = await runEvalRound(session, first.data.ranks ?? undefined);
      ({ places, seen } = round);
      const { terminal, render } = telling;
      terminal.print(`${render(visibleData(round.data), terminal.style)}\n`);
    } catch (error) {
      if (signal.aborted) return;
      if (!SkillsError.is(error)) throw error;
      const { code, message, hint } = reportError(error, false).json;
      reporter.alert(`${code}: ${message} ${hint ?? ''}`.trimEnd());
    }
  }
}

async function stillWanted(signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(pause, undefined, { signal });
    return true;
  } catch {
    // Only the signal ends it early.
    return false;
  }
}
