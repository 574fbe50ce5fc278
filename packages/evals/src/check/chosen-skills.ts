import { effectiveEvents, type Activation, type RunEvent } from '@skillpack/core';
import { namesOf } from './rules/skill-file.js';

/** A skill that a model chose. */
export interface ChosenSkill {
  /** Its own name first, then those by which it goes. */
  readonly names: readonly string[];
  /** Of the event of the choice. */
  readonly seq: number;
}

/**
 * What `select_skills` named and what there is, each skill once, in the order of the first choice. One that could not be
 * read was chosen all the same.
 */
export function chosenSkills(events: readonly RunEvent[]): readonly ChosenSkill[] {
  const counting = effectiveEvents(events);
  const unknown = unknownSkills(counting);
  // What a skill is called that is named by another name, its activation says.
  const activations = activationsOf(counting);
  const chosen = new Map<string, ChosenSkill>();
  for (const event of counting) {
    if (event.type !== 'action_started' || event.action.kind !== 'select_skills') continue;
    for (const skill of event.action.skills) {
      if (unknown.has(keyOf(event.run, event.id, skill.name))) continue;
      const names = namesOf(skill, activations);
      const [name = skill.name] = names;
      const key = name.normalize('NFC');
      if (!chosen.has(key)) chosen.set(key, { names, seq: event.seq });
    }
  }
  return [...chosen.values()];
}

/** Skills that were there from the beginning, or that a person named: nobody chose them. */
export function givenSkills(events: readonly RunEvent[]): readonly ChosenSkill[] {
  return effectiveEvents(events).flatMap((event) =>
    event.type === 'skill_activated' && event.activation.by !== 'model' && event.run === events[0]?.run
      ? [{ names: namesOf(event.activation, [event.activation]), seq: event.seq }]
      : [],
  );
}

/** Whether a skill goes by a name. */
export function isCalled({ names }: ChosenSkill, name: string): boolean {
  const wanted = name.normalize('NFC');
  return names.some((known) => known.normalize('NFC') === wanted);
}

function activationsOf(events: readonly RunEvent[]): readonly Activation[] {
  return events.flatMap((event) => (event.type === 'skill_activated' ? [event.activation] : []));
}

/** Names that were selected, and that no skill has. */
function unknownSkills(events: readonly RunEvent[]): ReadonlySet<string> {
  const unknown = new Set<string>();
  for (const event of events) {
    if (event.type !== 'observation_recorded' || !Array.isArray(event.output['failed'])) continue;
    for (const failed of event.output['failed'] as readonly unknown[]) {
      if (typeof failed !== 'object' || failed === null || !('name' in failed) || !('code' in failed)) continue;
      if (failed.code === 'SKILL_NOT_FOUND') unknown.add(keyOf(event.run, event.id, String(failed.name)));
    }
  }
  return unknown;
}

function keyOf(run: string, id: string, skill: string): string {
  return JSON.stringify([run, id, skill.normalize('NFC')]);
}
