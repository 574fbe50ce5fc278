import type { EvalCase, EvalFile, EvalSuite, SkillOffer } from './eval-case.js';
import { writtenExpectations } from './written-expectations.js';

/** Where a file of a case lies, relative to the file of cases; `undefined` for one whose bytes stand in that. */
export type PlaceFile = (file: EvalFile, place: { readonly case: string }) => string | undefined;

/** A suite as it stands in a file. What is so by default is `undefined`, and not written. */
export function writtenSuiteOf({ name, skills, cases }: EvalSuite, placeFile: PlaceFile = () => undefined): object {
  return { formatVersion: 1, name, skills, cases: cases.map((each) => writtenCase(each, placeFile)) };
}

function writtenCase(each: EvalCase, placeFile: PlaceFile): object {
  const { id, kind, title, tags, conversation, offer, expected, limits, trials, script } = each;
  const [only, ...others] = conversation;
  return {
    id,
    kind: kind === 'task' ? undefined : kind,
    title,
    tags: someOf(tags),
    ...(others.length === 0 ? { input: only?.input } : { conversation: conversation.map((turn) => turn.input) }),
    files: writtenFiles(each, placeFile),
    offer: writtenOffer(offer),
    expected: writtenExpectations(expected),
    constraints: Object.values(limits).every((limit) => limit === undefined) ? undefined : limits,
    trials,
    script,
  };
}

function writtenOffer({ skills, distractors, preload }: SkillOffer): object | undefined {
  if (skills === undefined && distractors.length + preload.length === 0) return undefined;
  return { skills, distractors: someOf(distractors), preload: someOf(preload) };
}

function writtenFiles({ id, files }: EvalCase, placeFile: PlaceFile): object | undefined {
  if (files.length === 0) return undefined;
  return Object.fromEntries(
    files.map((file) => {
      const from = placeFile(file, { case: id });
      return [file.path, from === undefined ? writtenFile(file) : { from }];
    }),
  );
}

function writtenFile({ bytes }: EvalFile): string | { readonly base64: string } {
  const text = textOf(bytes);
  if (text !== undefined) return text;
  const parts: string[] = [];
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return { base64: btoa(parts.join('')) };
}

/** Of bytes that are a text which a person can read in a file. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- finding control characters is what it is for
    return /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function someOf<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
