import { expect, test } from 'vitest';
import { searchableSkill } from '../../../test/searchable-skill.js';
import { SkillsError } from '../../errors/skills-error.js';
import { makeSkillSearch } from './make-skill-search.js';
import { createSkillSearch } from './skill-search.js';

const words = ['table', 'slide', 'invoice', 'deploy', 'draft', 'review', 'query', 'chart', 'email', 'budget'];
const many = Array.from({ length: 2_000 }, (_, at) =>
  searchableSkill(
    `skill-${at}`,
    Array.from({ length: 40 }, (_unused, word) => `${words[(at * 31 + word * word) % 10]}${(at * word) % 97}`).join(
      ' ',
    ),
  ),
);

test('a search that is made step by step finds what one finds that is made at once', async () => {
  const slowly = await makeSkillSearch(many);
  const atOnce = createSkillSearch(many);
  for (const query of ['slide12 invoice5', 'skill-77', 'budget', 'review96 of a chart1'])
    expect(slowly.find(query)).toEqual(atOnce.find(query));
});

test('timers fire while a large search is made', async () => {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  await makeSkillSearch(many);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(5);
});

test('a search of few skills is made without a pause, for which Node would load its HTTP client', async () => {
  let ticks = 0;
  const timer = setTimeout(() => {
    ticks += 1;
  }, 0);
  const search = await makeSkillSearch(many.slice(0, 30));
  clearTimeout(timer);
  expect(search.find('skill-7')[0]?.entry.name).toBe('skill-7');
  expect(ticks).toBe(0);
});

test('to make a search ends early when its signal is aborted, with the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  setTimeout(() => controller.abort(reason), 1);
  const error = await makeSkillSearch(many, { signal: controller.signal }).catch((caught: unknown) => caught);
  expect(SkillsError.is(error, 'INTERRUPTED')).toBe(true);
  expect(error).toHaveProperty('cause', reason);
  await expect(makeSkillSearch([], { signal: controller.signal })).rejects.toThrow(SkillsError);
});
