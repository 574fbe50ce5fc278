import { quoted } from '@skillpack/core';
import type { CaseProblem } from './case-place.js';
import type { SkillOffer } from './eval-case.js';
import type { ExpectedSkills } from './expectations.js';
import { nameProblems } from './name-problems.js';

/** What is wrong with the skills that are expected: names that cannot be, and what no choice fulfils. */
export function* skillProblems(
  { anyOf, allOf, none }: ExpectedSkills,
  { offer, at }: { readonly offer: SkillOffer; readonly at: string },
): Iterable<CaseProblem> {
  const wanted = [...(anyOf ?? []), ...(allOf ?? [])];
  const refused = none === true ? [] : (none ?? []);
  for (const [name, list] of Object.entries({ any_of: anyOf, all_of: allOf, none: none === true ? undefined : none })) {
    if (list === undefined) continue;
    if (list.length === 0) yield { path: `${at}.${name}`, message: 'expected at least one name' };
    yield* nameProblems(list, `${at}.${name}`);
  }
  if (anyOf === undefined && allOf === undefined && none === undefined) {
    yield { path: at, message: 'expected any_of, all_of or none' };
  }
  if (none === true && wanted.length > 0) {
    yield { path: `${at}.none`, message: `no skill is to be used, and ${quoted(wanted[0] ?? '', 60)} is` };
  }
  const all = namesAsTold(wanted);
  const both = refused.find((name) => all.has(name.normalize('NFC')));
  if (both !== undefined) yield { path: `${at}.none`, message: `${quoted(both, 60)} is to be used and not to be used` };
  yield* offerProblems({ anyOf, allOf }, { offer, at });
}

/** A skill that is not offered cannot be chosen. */
function* offerProblems(
  { anyOf = [], allOf = [] }: ExpectedSkills,
  { offer, at }: { readonly offer: SkillOffer; readonly at: string },
): Iterable<CaseProblem> {
  if (offer.skills === undefined) return;
  const offered = namesAsTold([...offer.skills, ...offer.distractors]);
  const missing = allOf.find((name) => !offered.has(name.normalize('NFC')));
  if (missing !== undefined)
    yield { path: `${at}.all_of`, message: `${quoted(missing, 60)} is not offered in this case` };
  if (anyOf.length > 0 && !anyOf.some((name) => offered.has(name.normalize('NFC')))) {
    yield {
      path: `${at}.any_of`,
      message: `none of ${anyOf
        .slice(0, 5)
        .map((name) => quoted(name, 60))
        .join(', ')} is offered in this case`,
    };
  }
}

/** Names that differ in their normal form only are those of one skill. */
export function namesAsTold(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.normalize('NFC')));
}
