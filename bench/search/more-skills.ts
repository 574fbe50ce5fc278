import { readFile } from 'node:fs/promises';
import { chanceOf, type Chance } from '../fixtures/seeded-text.ts';
import type { BenchSkill } from './labelled-skills.ts';

/** Makes a pool larger: skills that no request is for. */
export interface MoreSkills {
  /** What they are, in a phrase. */
  readonly what: string;
  make(count: number): readonly BenchSkill[];
}

/** Skills whose words are drawn from those of others, each as often as it stands there. The same on every machine. */
export function shuffledSkills(skills: readonly BenchSkill[]): MoreSkills {
  const words = skills.flatMap(({ description }) => description.split(/\s+/u));
  const parts = skills.flatMap(({ name }) => name.split('-'));
  return {
    what: 'skills of 30 to 90 words that are drawn from the others',
    make(count) {
      const chance = chanceOf(7);
      return Array.from({ length: count }, (_, index) =>
        made(index, {
          name: `${draw(parts, chance)}-${draw(parts, chance)}`,
          description: Array.from({ length: 30 + Math.floor(chance() * 60) }, () => draw(words, chance)).join(' '),
        }),
      );
    },
  };
}

/** Skills made of a list of programs: a table with tabs, in its first line `name` and `summary`. */
export async function describedSkills(path: string): Promise<MoreSkills> {
  const [head = '', ...lines] = (await readFile(path, 'utf8')).split('\n');
  const columns = head.split('\t');
  const [name, summary] = ['name', 'summary'].map((column) => columns.indexOf(column));
  if (name === undefined || summary === undefined || name < 0 || summary < 0)
    throw new Error(`${path} has no columns name and summary.`);
  const rows = lines
    .map((line) => line.split('\t'))
    .map((cells) => ({ name: cells[name] ?? '', description: cells[summary] ?? '' }))
    .filter(({ description }) => description.length > 30);
  return {
    what: `skills with the name of one program of ${rows.length} and the summaries of four`,
    make(count) {
      const chance = chanceOf(7);
      return Array.from({ length: count }, (_, index) => {
        const drawn = Array.from({ length: 4 }, () => draw(rows, chance));
        return made(index, {
          name: (drawn[0]?.name ?? '').replace(/^@[^/]*\//u, ''),
          description: drawn
            .map(({ description }) => description)
            .join('. ')
            .slice(0, 1_024),
        });
      });
    },
  };
}

function made(
  index: number,
  { name, description }: { readonly name: string; readonly description: string },
): BenchSkill {
  const numbered = `${name}-${index}`;
  return { id: `made-${index}`, name: numbered, description, location: `/skills/${numbered}` };
}

function draw<Item>(items: readonly Item[], chance: Chance): Item {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
