import type { SkillEntry } from '../skill-entry.js';
import { PostingBuilder } from './posting-index.js';
import { TextTerms } from './text-terms.js';
import { withoutExclusions } from './without-exclusions.js';

const limits = { name: 300, location: 500, description: 2_000, body: 4_000 };
// How often each is counted, in halves. A name says in a few words what a description says in many.
const halves = { name: 6, description: 2, location: 1, body: 2 };

/** Collects what skills are found by, one skill after another. */
export class SkillTerms {
  /** Of name, location and description. */
  readonly words = new PostingBuilder();
  /** Each two words of name and description that stand side by side. */
  readonly pairs = new PostingBuilder();
  /** Of name and description. */
  readonly pieces = new PostingBuilder();
  /** Words as above, and those of the beginning of the body; where bodies are at hand. */
  readonly texts: PostingBuilder | undefined;
  readonly #terms = new TextTerms();

  constructor({ withBodies }: { readonly withBodies: boolean }) {
    this.texts = withBodies ? new PostingBuilder() : undefined;
  }

  /** Adds a skill. Returns how many characters were read. */
  add(entry: SkillEntry, body: string = ''): number {
    const { words, pairs, pieces, texts } = this;
    const both = texts === undefined ? [words] : [words, texts];
    const names = namesOf(entry);
    for (const name of names) this.#terms.addName(name, { words: both, pairs, pieces }, halves.name);
    const location = entry.location.slice(-limits.location);
    this.#terms.addName(location, { words: both }, halves.location);
    const description = withoutExclusions((entry.head.description ?? '').slice(0, limits.description));
    this.#terms.add(description, { words: both, pairs, pieces }, halves.description);
    const beginning = texts === undefined ? '' : body.slice(0, limits.body);
    if (texts !== undefined) this.#terms.add(beginning, { words: [texts] }, halves.body);
    for (const builder of [words, pairs, pieces, texts]) builder?.next();
    return entry.name.length + location.length + description.length + beginning.length;
  }
}

/** The name that it is asked for by, and the one it gives itself where that is another one. */
function namesOf({ name, head }: SkillEntry): ReadonlySet<string> {
  return new Set([name.slice(0, limits.name), head.name.slice(0, limits.name)]);
}
