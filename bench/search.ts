import { workspace } from './bench-options.ts';
import { describeMachine } from './report/describe-machine.ts';
import { markdownTable } from './report/markdown-table.ts';
import { readLabelledSkills, type LabelledSkills } from './search/labelled-skills.ts';
import { madeSkills } from './search/made-skills.ts';
import { measurePause } from './search/measure-pause.ts';
import { measurePool, missedIn, percent, type PoolOutcome } from './search/measure-pool.ts';
import { describedSkills, shuffledSkills } from './search/more-skills.ts';
import { readSearchOptions, searchHelp, type SearchBenchOptions } from './search/search-options.ts';

try {
  const options = readSearchOptions(process.argv.slice(2));
  if (options.help) console.log(searchHelp);
  else await benchSearch(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function benchSearch(options: SearchBenchOptions): Promise<void> {
  console.log(`${await describeMachine(workspace, '')}\n`);
  const labelled = await readLabelledSkills(options.data);
  if (labelled === undefined) console.log(`${options.data} has no labelled skills: only times mean anything here.\n`);
  const { skills, queries } = labelled ?? madeSkills();
  const more = options.programs === undefined ? shuffledSkills(skills) : await describedSkills(options.programs);
  console.log(`${skills.length} skills, ${queries.length} requests; in larger pools also ${more.what}.\n`);
  const outcomes: PoolOutcome[] = [];
  const pauses: number[] = [];
  const missed: string[] = [];
  for (const size of options.pools) {
    const pool = [...skills, ...more.make(Math.max(0, size - skills.length))];
    const outcome = measurePool(pool, { queries, rounds: options.rounds });
    outcomes.push(outcome);
    pauses.push(await measurePause(pool, options));
    missed.push(...missedIn(outcome, { labelled: kindOf(labelled, pool.length) }));
  }
  if (labelled !== undefined) console.log(`${ratingTable(outcomes)}\n`);
  console.log(`${timeTable(outcomes, pauses)}\n`);
  console.log(missed.length === 0 ? 'Every target is met.' : missed.join('\n'));
  if (options.check && missed.length > 0) process.exitCode = 1;
}

function kindOf(labelled: LabelledSkills | undefined, pool: number): 'alone' | 'among others' | 'none' {
  if (labelled === undefined) return 'none';
  return pool === labelled.skills.length ? 'alone' : 'among others';
}

function ratingTable(outcomes: readonly PoolOutcome[]): string {
  return markdownTable([
    ['skills', 'search', 'Hit@1', 'R@5', 'R@20'],
    ['--:', '---', '--:', '--:', '--:'],
    ...outcomes.flatMap(({ skills, searches }) =>
      searches.map(({ name, rating }) => [
        String(skills),
        name,
        ...[rating.first, rating.five, rating.twenty].map(percent),
      ]),
    ),
  ]);
}

function timeTable(outcomes: readonly PoolOutcome[], pauses: readonly number[]): string {
  return markdownTable([
    ['skills', 'search', 'build ms', 'in steps of ms', 'MB', 'query ms', 'slowest ms', 'query, ours / theirs'],
    ['--:', '---', '--:', '--:', '--:', '--:', '--:', '--:'],
    ...outcomes.flatMap(({ skills, searches }, pool) =>
      searches.map(({ name, times }, at) => [
        String(skills),
        name,
        times.build.toFixed(0),
        at === 0 ? (pauses[pool] ?? 0).toFixed(1) : '',
        (times.bytes / 1_048_576).toFixed(1),
        times.query.toFixed(2),
        times.slowest.toFixed(1),
        at === 0 ? '' : ((searches[0]?.times.query ?? 0) / times.query).toFixed(2),
      ]),
    ),
  ]);
}
