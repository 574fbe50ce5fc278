import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A skill as the bench offers it to a search. */
export interface BenchSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly location: string;
}

/** A request, and the skills that should be found for it. */
export interface LabelledQuery {
  readonly query: string;
  readonly gold: readonly string[];
}

/** Skills of others, and requests that people labelled. */
export interface LabelledSkills {
  readonly skills: readonly BenchSkill[];
  readonly queries: readonly LabelledQuery[];
}

/** Reads `skills.jsonl` and `queries.jsonl` of a folder; `undefined` where they are not there. */
export async function readLabelledSkills(folder: string): Promise<LabelledSkills | undefined> {
  const files = ['skills.jsonl', 'queries.jsonl'].map((name) => join(folder, name));
  if (!files.every((path) => existsSync(path))) return undefined;
  const [skills = [], queries = []] = await Promise.all(files.map(readLines));
  return {
    skills: skills.map((line) => ({
      id: textOf(line, 'id'),
      name: textOf(line, 'name'),
      description: textOf(line, 'description'),
      location: `/skills/${textOf(line, 'path').replace(/\/?SKILL\.md$/iu, '')}`,
    })),
    // Those that no skill should be found for say nothing of a ranking.
    queries: queries
      .map((line) => ({ query: textOf(line, 'query'), gold: listOf(line, 'gold') }))
      .filter(({ gold }) => gold.length > 0),
  };
}

async function readLines(path: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

function fieldOf(line: unknown, name: string): unknown {
  return typeof line === 'object' && line !== null ? Reflect.get(line, name) : undefined;
}

function textOf(line: unknown, name: string): string {
  const value = fieldOf(line, name);
  if (typeof value !== 'string') throw new Error(`A line of the data has no text ${name}: ${JSON.stringify(line)}`);
  return value;
}

function listOf(line: unknown, name: string): readonly string[] {
  const value = fieldOf(line, name);
  if (!Array.isArray(value)) throw new Error(`A line of the data has no list ${name}: ${JSON.stringify(line)}`);
  return value.map(String);
}
