import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chat, sayInForm, send, type Provider, type ProviderCall } from '../../../test/provider-server.js';
import { makeSkill } from './make-skill.js';
import { startModelServer } from './model-server.js';
import { createWorld, type World } from './run-skills.js';

const descriptions: Readonly<Record<string, string>> = {
  pdf: 'Reads, counts and merges the pages of PDF documents. Use it for anything with a PDF.',
  table: 'Sorts, sums and filters the rows and columns of CSV tables and spreadsheets.',
  letter: 'Writes a polite letter or an e-mail to somebody, with a greeting and a closing line.',
};

/** Requests, by the skill that each wants. */
const requests: Readonly<Record<string, readonly string[]>> = {
  pdf: [
    'Count the pages of this PDF.',
    'Merge both PDF documents into one.',
    'Which pages of the PDF are empty?',
    'Read the PDF documents in this folder.',
    'How many pages have the PDF documents?',
    'Merge the pages of the PDF, please.',
    'Anything odd with the pages of the PDF?',
    'Count what the PDF documents have of pages.',
  ],
  table: ['Sort the rows of the CSV table by price.', 'Sum the columns of this spreadsheet.'],
  letter: ['Write a polite letter to my landlord.', 'Greet her in an e-mail.'],
};

/** Cases of the kind `trigger`: those of a skill, and one that wants none. */
function triggerCases(skill: string): string {
  const wanted = (requests[skill] ?? []).map((input, at) => ({
    id: `${skill}-${at + 1}`,
    kind: 'trigger',
    input,
    expected: { skills: skill },
  }));
  const near = { id: 'weather', kind: 'trigger', tags: ['near-miss'], input: 'Is it going to rain tomorrow?' };
  return JSON.stringify({
    formatVersion: 1,
    name: `${skill}-triggers`,
    skills: [skill],
    cases: [...wanted, { ...near, expected: { skills: { none: [skill] } } }],
  });
}

/** A case that runs a script of the skill `pdf`, with what a model could decide written down. */
export function taskCases(script = 'scripts/count.sh'): string {
  return JSON.stringify({
    formatVersion: 1,
    name: 'pdf-tasks',
    skills: ['pdf'],
    cases: [
      {
        id: 'count',
        title: 'Counts the pages of a file',
        input: 'How many pages has report.pdf?',
        files: { 'report.pdf': 'one two three\n' },
        expected: {
          skills: 'pdf',
          actions: [
            { first: { action: 'select_skills', skill: '$skill' }, before: { action: 'run_script', skill: '$skill' } },
            { occurs: { action: 'run_script', skill: 'pdf', ok: true } },
          ],
          output: [{ contains: '3 pages' }, { script: 'checks/three.sh' }],
        },
        script: {
          formatVersion: 1,
          rules: [
            {
              when: { turn: 1 },
              decide: { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It counts pages.' },
            },
            {
              when: { after: 'select_skills' },
              decide: { kind: 'run_script', skill: { name: 'pdf' }, relative_path: script, args: ['report.pdf'] },
            },
            {
              when: { after: 'run_script', observation: { regex: String.raw`(?<count>\d+) words` } },
              decide: { kind: 'final_answer', content: 'It has ${count} pages.' },
            },
            { decide: { kind: 'final_answer', content: 'I could not count them.' } },
          ],
        },
      },
    ],
  });
}

/** A project with three skills, each with cases. */
export function createEvalWorld(): World {
  const world = createWorld();
  for (const name of Object.keys(descriptions)) writeSkill(world, name);
  const evals = join(world.project, 'skills', 'pdf', 'evals');
  write(join(evals, 'tasks.json'), taskCases());
  write(join(evals, 'checks', 'three.sh'), '#!/bin/sh\ngrep -q "3 pages" "$EVAL_ANSWER_FILE"\n');
  return world;
}

/** Writes a skill with its cases; of one that is there, what it says of itself. */
export function writeSkill({ project }: World, name: string, description = descriptions[name] ?? ''): void {
  makeSkill(join(project, 'skills', name), {
    frontMatter: `name: ${name}\ndescription: ${description}`,
    body: `# ${name}\n\nA line of the text of ${name}.\n`,
    files: {
      'evals/triggers.json': triggerCases(name),
      ...(name === 'pdf' ? { 'scripts/count.sh': '#!/bin/sh\necho "$(wc -w < "$1" | tr -d " ") words"\n' } : {}),
    },
  });
}

/** Writes a file, and the folder that it lies in. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What of a result a test looks at. */
interface KeptResult {
  readonly outcome: string;
  readonly key: string;
  readonly checks: readonly { readonly verdict: string }[];
  readonly reason?: { readonly code: string };
}

/** The results in a folder, one object a line. */
export function resultsIn(folder: string): readonly KeptResult[] {
  const lines = readFileSync(join(folder, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as KeptResult);
}

/** What a model decides that chooses the skill whose words stand in the request. */
export function chooseByWords(call: ProviderCall): object {
  const said = call.text.slice(Math.max(0, call.text.lastIndexOf('"role":"user"')));
  const word = [
    ['pdf', /PDF/u],
    ['table', /CSV|spreadsheet/u],
    ['letter', /letter|e-mail/u],
  ].find(([, words]) => (words as RegExp).test(said));
  return word === undefined
    ? { action: { kind: 'final_answer', content: 'I cannot say.' } }
    : { action: { kind: 'select_skills', skills: [{ name: word[0] }], reason: 'It fits.' } };
}

/** A server of models that chooses by the words of a request. */
export async function startChoosingServer(
  decide: (call: ProviderCall, turn: number) => object | Promise<object> = chooseByWords,
): Promise<Provider> {
  return startModelServer(chat, async (call, out, turn) =>
    send(chat, { call, out }, sayInForm(call, JSON.stringify(await decide(call, turn)))),
  );
}
