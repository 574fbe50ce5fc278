import { quoted } from '../../errors/quoted.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { ActionContext, ChildOutcome, Observation, ReadSkill } from '../run-scope.js';

/** Lets a child run do the work of a skill; what it answers, and what it read and made, is what is observed. */
export async function delegateSkill(
  skill: ReadSkill,
  reason: string,
  { scope, id, patience }: ActionContext,
): Promise<Observation> {
  const { entry } = skill;
  const request = scope.state().request?.text ?? '';
  const task = reason.trim() === '' ? request : `${request}\n\nYour part of it: ${reason}`;
  // It has a time of its own, half of what is left, which stands still while a person is asked.
  const outcome = await patience.standStill(async () =>
    scope.runChild({ action: id, skill, task }, { signal: patience.cancelled }),
  );
  const references = outcome.resources.map(({ path }) => path);
  return {
    ok: !outcome.degraded,
    content: render(entry, outcome, references),
    output: { run: outcome.run, skill: entry.name, stop: outcome.stop, resources: references },
    error: outcome.degraded
      ? { code: 'EXIT_NONZERO', message: `The run of the skill ${quoted(entry.name)} stopped early: ${outcome.stop}.` }
      : undefined,
    kept: outcome.kept,
    // Whoever said no, or stop, said it to all of the run.
    stop: outcome.stop === 'cancelled' || outcome.stop === 'approval_required' ? outcome.stop : undefined,
  };
}

function render(entry: SkillEntry, outcome: ChildOutcome, references: readonly string[]): string {
  const parts = [
    `The skill ${quoted(entry.name)} worked in the run ${outcome.run} of its own, which ended with ${outcome.stop}:`,
    outcome.text,
  ];
  if (references.length > 0)
    parts.push(`It read ${[...new Set(references)].map((path) => quoted(path)).join(', ')} of its skill.`);
  const files = outcome.kept.map(({ name, digest }) => `${name} (${digest.slice(0, 19)})`);
  if (files.length > 0) parts.push(`In the record: ${[...new Set(files)].join(', ')}.`);
  return parts.join('\n');
}
