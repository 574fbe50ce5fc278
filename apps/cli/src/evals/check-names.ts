import { quoted, SkillsError, type SkillRegistry } from '@skillpack/core';
import type { EvalSuite, PlanOptions } from '@skillpack/evals';
import { nearestName } from '../frame/nearest-name.js';

/** Which cases are looked at. */
export interface CheckNamesOptions {
  readonly signal: AbortSignal;
  /** @default all are */
  readonly filter?: PlanOptions['filter'];
}

/**
 * Refuses cases that want or offer a skill that is not there, also where nothing is run: no search could find it. What a
 * case does not want need not be there.
 *
 * @throws `SKILL_NOT_FOUND` with the case and the name that is near.
 */
export async function checkNames(
  suites: readonly EvalSuite[],
  registry: SkillRegistry,
  { signal, filter = () => true }: CheckNamesOptions,
): Promise<void> {
  const { skills } = await registry.index({ signal });
  const names = skills.map(({ name }) => name);
  const known = new Set(names.map((name) => name.normalize('NFC')));
  for (const suite of suites) {
    for (const { id, tags, offer, expected } of suite.cases) {
      if (!filter({ suite: suite.name, case: id, tags })) continue;
      const { allOf = [], anyOf = [] } = expected.skills ?? {};
      const offered = [...(offer.skills ?? []), ...offer.distractors, ...offer.preload];
      const missing = [...allOf, ...offered].find((name) => !known.has(name.normalize('NFC')));
      const none = anyOf.length > 0 && anyOf.every((name) => !known.has(name.normalize('NFC'))) ? anyOf[0] : undefined;
      const name = missing ?? none;
      if (name !== undefined) throw notThere(name, { suite: suite.name, case: id, names });
    }
  }
}

function notThere(
  name: string,
  place: { readonly suite: string; readonly case: string; readonly names: readonly string[] },
): SkillsError {
  const nearest = nearestName(name, place.names);
  const message = `There is no skill ${quoted(name)}, which the case ${quoted(`${place.suite}/${place.case}`)} speaks of.`;
  return new SkillsError('SKILL_NOT_FOUND', message, {
    hint: `Nothing was run. ${nearest === undefined ? 'Name a folder that has it, or further ones by --catalogue.' : `Did you mean ${nearest}?`}`,
    data: { skill: name, suite: place.suite, case: place.case },
  });
}
