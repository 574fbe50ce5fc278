import fc from 'fast-check';
import { anyText, editedText, textPieces } from './text-pieces.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

const oddValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    [],
    {},
    [[]],
    digest,
    digest.toUpperCase(),
    'org/pdf',
    'org/other',
    '1.0.0',
    '1.0.0-rc.1+build',
    'v1',
    '^1',
    '>=1 <2',
    'latest',
    '2026-02-30T00:00:00Z',
    '2026-11-21T00:00:00Z',
    'pdf',
    'PDF',
    'pdf/SKILL.md',
    '../pdf',
    'registry',
    'url',
    'file',
    'folder',
    'https://user:secret@example.org/a?token=b#c',
    'x'.repeat(3_000),
  ),
  fc.constantFrom<Json[]>(...textPieces),
  // What fast-check makes is JSON by construction.
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

type Place = readonly [holder: Json[] | { [key: string]: Json }, key: string];

function placesIn(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return entries.flatMap(([key, child]) => [[value, key] as const, ...placesIn(child)]);
}

interface TreeEdit {
  readonly kind: 'replace' | 'remove' | 'repeat' | 'rename' | 'copy' | 'wrap';
  readonly at: number;
  readonly from: number;
  readonly key: string;
  readonly value: Json;
}

const treeEdit: fc.Arbitrary<TreeEdit> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'rename', 'copy', 'wrap'),
  at: fc.nat(),
  from: fc.nat(),
  key: fc.oneof(fc.constantFrom<string[]>(...textPieces), fc.constantFrom('formatVersion', 'name', 'org/other')),
  value: oddValue,
});

function editTree(root: Json, edit: TreeEdit): Json {
  const places = placesIn(root);
  const place = places[edit.at % Math.max(places.length, 1)];
  // A copy: an edit may be made more than once, and what is within itself is no JSON.
  const value = structuredClone(edit.value);
  if (place === undefined) return value;
  const [holder, key] = place;
  const present = Reflect.get(holder, key) as Json; // The place was found in it.
  const [otherHolder, otherKey] = places[edit.from % places.length] ?? place;
  const put = (name: string, child: Json) =>
    Object.defineProperty(holder, name, { value: child, enumerable: true, writable: true, configurable: true });
  if (edit.kind === 'replace') put(key, value);
  else if (edit.kind === 'copy') put(key, structuredClone(Reflect.get(otherHolder, otherKey) as Json)); // As above.
  else if (edit.kind === 'wrap') put(key, edit.from % 2 === 0 ? [present] : { [edit.key]: present });
  else if (Array.isArray(holder)) {
    if (edit.kind === 'repeat') holder.push(structuredClone(present));
    else holder.splice(Number(key), 1);
  } else {
    if (edit.kind !== 'repeat') Reflect.deleteProperty(holder, key);
    if (edit.kind !== 'remove') put(edit.key, structuredClone(present));
  }
  return root;
}

/** How a document that consists of JSON is changed. */
export interface EditedJsonOptions {
  /** Whether every line is a value of its own. @default false */
  readonly lines?: boolean;
  /** Makes what depends on the rest true again, so that an edit reaches what lies behind that check. */
  readonly mend?: (value: unknown) => void;
}

/** Documents made from these by changes to their values, to their text, or to both. */
export function editedJson(documents: readonly string[], options: EditedJsonOptions = {}): fc.Arbitrary<string> {
  const { lines = false, mend = () => undefined } = options;
  const indent = fc.constantFrom(0, 2, 2, '\t');
  const edits = fc.array(treeEdit, { minLength: 0, maxLength: 4 });
  const changed = fc
    .record({ text: fc.constantFrom(...documents), line: fc.nat(), edits, indent, mended: fc.boolean() })
    .map((made) => {
      const parts = lines ? made.text.trimEnd().split('\n') : [made.text];
      const chosen = made.line % parts.length;
      const values = parts.map((part, index) => {
        const value = JSON.parse(part) as Json; // A document of ours.
        if (index !== chosen) return value;
        const result = made.edits.reduce(editTree, value);
        if (made.mended) mend(result);
        return result;
      });
      return values.map((value) => `${JSON.stringify(value, null, lines ? 0 : made.indent)}\n`).join('');
    });
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 2, arbitrary: editedText(changed, { most: 2 }) },
    { weight: 1, arbitrary: editedText(fc.constantFrom(...documents)) },
    { weight: 1, arbitrary: lineShuffled(documents) },
    { weight: 1, arbitrary: fc.oneof(anyText, fc.json()) },
  );
}

/** Lines taken out, doubled and exchanged, as a merge by hand may leave them. */
function lineShuffled(documents: readonly string[]): fc.Arbitrary<string> {
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('move', 'repeat', 'drop')), { maxLength: 5 });
  const end = fc.constantFrom('\n', '\n', '\r\n');
  return fc.tuple(fc.constantFrom(...documents), moves, end).map(([text, made, newline]) => {
    const lines = text.split('\n');
    for (const [from, to, kind] of made) {
      const line = lines[from % lines.length] ?? '';
      if (kind !== 'repeat') lines.splice(from % lines.length, 1);
      if (kind !== 'drop') lines.splice(to % (lines.length + 1), 0, line);
    }
    return lines.join(newline);
  });
}
