import {
  canonicalJson,
  parseRunSummary,
  recordable,
  recordLimits,
  SkillsError,
  summariseRun,
  type RecordedError,
  type RunEvent,
  type RunSummary,
} from '@skillpack/core';
import { readOwnFile } from './own-file.js';
import type { RunPaths } from './run-paths.js';

/** What `run.json` says. @returns `undefined` where there is none. @throws `INVALID_RECORD` and as `readOwnFile`. */
export function writtenSummary(paths: RunPaths): RunSummary | undefined {
  const bytes = readOwnFile(paths.summary, 4 * recordLimits.summary);
  return bytes === undefined ? undefined : parseRunSummary(new TextDecoder().decode(bytes), paths.summary);
}

/** `run.json`, as it was found before the events were read: while it is written, the events may become more. */
export type FoundSummary =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly summary: RunSummary }
  | { readonly kind: 'unreadable'; readonly error: RecordedError };

/** Looks for `run.json`. */
export function findSummary(paths: RunPaths): FoundSummary {
  try {
    const summary = writtenSummary(paths);
    return summary === undefined ? { kind: 'none' } : { kind: 'read', summary };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const { code, message } = error;
    return { kind: 'unreadable', error: { code, message, hint } };
  }
}

/**
 * What of `run.json` is not so, by the events: they are the truth. One that is missing, or was made when there were fewer
 * events and says what these come to, is as a crash leaves it.
 */
export function summaryProblem(
  { summary: path }: RunPaths,
  found: FoundSummary,
  events: readonly RunEvent[],
): RecordedError | undefined {
  if (found.kind === 'none') return undefined;
  if (found.kind === 'unreadable') return found.error;
  const { summary } = found;
  const made = events.slice(0, summary.events);
  const differing = made.length === 0 ? ['events'] : differingFields(summary, summariseRun(made));
  if (differing.length === 0) return undefined;
  return {
    code: 'INVALID_RECORD',
    message: `${path} says otherwise than the events of the run: ${differing.join(', ')}.`,
    hint,
  };
}

const hint = 'The events are the truth. Remove run.json: where it is missing, it is made of them.';

/** Of the fields that are stated: a version that states fewer of them contradicts nobody. */
function differingFields(written: RunSummary, folded: RunSummary): readonly string[] {
  const said = new Map<string, unknown>(Object.entries(recordable(folded)));
  return Object.entries(recordable(written))
    .filter(([name, value]) => canonicalJson(value) !== canonicalJson(said.get(name) ?? null))
    .map(([name]) => name);
}
