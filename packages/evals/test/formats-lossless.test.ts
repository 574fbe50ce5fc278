import { importSuite, parseSuite, formatSuite, type CaseFormat, type ImportedSuite } from '@skillpack/evals';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixtureText } from './formats-fixture.js';

const names = [
  'agentskills/evals/evals.json',
  'skill-creator.json',
  'skill-creator-objects.json',
  'trigger-list.json',
  'trigger-wrapper.json',
  'trigger-keys.json',
  'trigger-lists.json',
  'trigger-lists-by-skill.yaml',
  'apm.json',
  'multi-skill.yaml',
  'waza.yaml',
  'kind-trigger.json',
  'agent-exam.yaml',
  'dotnet.json',
  'promptfoo.yaml',
  'promptfoo-list.json',
  'adk/roll.evalset.json',
  'adk/camel.evalset.json',
  'adk/old.test.json',
  'adk/lines.test.json',
];

type Path = readonly string[];

/** Every value of a document that is no list and no object, by its path. */
function* leavesOf(value: unknown, path: Path = []): Generator<readonly [Path, string | number | boolean]> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, key]);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield [path, value];
}

/** Every object of a document, by its path. */
function* objectsOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield path;
  for (const [key, inner] of Object.entries(value)) yield* objectsOf(inner, [...path, key]);
}

/** Whether a note is about a value, or about what it is in. */
function isNoted(path: Path, { notes }: ImportedSuite): boolean {
  return notes.some(({ at }) => {
    const parts = at === '' ? [] : at.split('.');
    return parts.length <= path.length && parts.every((part, index) => part === '*' || part === path[index]);
  });
}

/** Whether a value stands in the suite: in one of its texts, or as it is. */
function isInSuite(leaf: string | number | boolean, { suite }: ImportedSuite): boolean {
  const there = [...leavesOf(suite)].map(([, each]) => each);
  // A list may be one text with commas, and a template has places for other values.
  const parts = String(leaf)
    .split(/,\s*|\{\{[^}]*\}\}/u)
    .map((part) => part.trim());
  return (
    there.includes(leaf) || parts.every((part) => there.some((each) => typeof each === 'string' && each.includes(part)))
  );
}

/** What a value says by where it stands: what became of it has no text of its own. */
const bySense: ReadonlySet<string> = new Set(
  `should_trigger shouldTrigger expect expected expected_trigger schema_version kind type mode role min max threshold
  negative $ref exactly`.split(/\s+/u),
);

function documentOf(name: string): unknown {
  const text = fixtureText(name);
  return name.endsWith('.yaml') ? parse(text) : JSON.parse(text);
}

async function imported(document: unknown, format?: CaseFormat): Promise<ImportedSuite> {
  return importSuite(JSON.stringify(document), { fileName: 'cases.json', skill: 'pdf', format });
}

test.each(names)('PSA-35: each value of %s is in the suite, or in a note', async (name) => {
  const document = documentOf(name);
  const result = await imported(document);
  const lost = [...leavesOf(document)].filter(
    ([path, leaf]) => !isNoted(path, result) && !isInSuite(leaf, result) && !bySense.has(path.at(-1) ?? ''),
  );
  expect(lost.map(([path, leaf]) => `${path.join('.')} = ${leaf}`)).toEqual([]);
});

test.each(names)('PSA-35: whatever is put into %s besides is in the suite, or in a note', async (name) => {
  const document = documentOf(name);
  const { format } = await imported(document);
  const places = [...objectsOf(document)];
  const field = fc.constantFrom(
    'zz_more',
    'weight',
    'reason',
    'metadata',
    'name',
    'tags',
    'description',
    'path',
    'config',
    'notes',
    'id',
  );
  const more = fc.oneof(
    fc.nat().map((number) => `told-${number}`),
    fc.nat().map((number) => [`told-${number}`]),
    fc.nat().map((number) => ({ inner: `told-${number}` })),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(places.length - 1), field, more, async (at, key, value) => {
      const copy: unknown = structuredClone(document);
      const place = places[at] ?? [];
      let target = copy;
      for (const part of place) target = (target as Record<string, unknown>)[part];
      // What stands there already stays.
      fc.pre(!Object.hasOwn(target as object, key));
      (target as Record<string, unknown>)[key] = value;
      const result = await imported(copy, format);
      for (const [path, leaf] of leavesOf(value)) {
        const told = isNoted([...place, key, ...path], result) || isInSuite(leaf, result);
        expect(told, `${[...place, key, ...path].join('.')} = ${leaf} of ${name}`).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test.each(names)('PSA-35: what is imported from %s is a suite that our own format holds', async (name) => {
  const { suite } = await imported(documentOf(name));
  expect(await parseSuite(formatSuite(suite), { fileName: 'cases.yaml' })).toEqual(suite);
});
