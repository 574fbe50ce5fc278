import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importSuite, type EvalCase, type ImportedSuite, type ImportOptions } from '@skillpack/evals';
import { caseFilesIn } from '@skillpack/evals/node';

const folder = join(import.meta.dirname, 'fixtures/formats');

/** The text of a fixture. */
export function fixtureText(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** A fixture, imported with the files beside it. */
export async function importFixture(name: string, options: Partial<ImportOptions> = {}): Promise<ImportedSuite> {
  const files = caseFilesIn(dirname(join(folder, name)));
  return importSuite(fixtureText(name), { fileName: name, files, ...options });
}

/** What a trigger case asks, and what it wants. */
export function triggersOf({ suite }: ImportedSuite): readonly (readonly [query: string, skills: unknown])[] {
  return suite.cases.map((each) => [each.conversation[0]?.input ?? '', each.expected.skills] as const);
}

/** A case by its id. */
export function caseOf({ suite }: ImportedSuite, id: string): EvalCase {
  const found = suite.cases.find((each) => each.id === id);
  if (found === undefined)
    throw new Error(`There is no case ${id} among ${suite.cases.map((each) => each.id).join(', ')}.`);
  return found;
}

/** Notes in short: what became of what. */
export function notesOf({ notes }: Pick<ImportedSuite, 'notes'>): readonly string[] {
  return notes.map(({ kind, at }) => `${kind} ${at}`);
}
