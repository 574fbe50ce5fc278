import { setImmediate } from 'node:timers/promises';
import { makeSkillSearch } from '@skillpack/core';
import { searchableSkills } from './contenders.ts';
import type { BenchSkill } from './labelled-skills.ts';

/** For how many milliseconds nobody else has a turn, at the most, while a search is made step by step; the least of rounds. */
export async function measurePause(
  skills: readonly BenchSkill[],
  { rounds }: { readonly rounds: number },
): Promise<number> {
  const searchable = searchableSkills(skills);
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const state = { made: false };
    const making = makeSkillSearch(searchable).then(() => {
      state.made = true;
    });
    let longest = 0;
    for (let turn = performance.now(); !state.made;) {
      await setImmediate();
      const now = performance.now();
      longest = Math.max(longest, now - turn);
      turn = now;
    }
    await making;
    least = Math.min(least, longest);
  }
  return least;
}
