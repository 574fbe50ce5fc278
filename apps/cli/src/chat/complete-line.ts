import { chatCommands } from './parse-line.js';

/** What may stand in the place of the end of a line. */
export interface Completion {
  /** In order; each begins with {@link typed}. */
  readonly candidates: readonly string[];
  /** The end of the line that they complete. */
  readonly typed: string;
}

const most = 200;

/** The commands and skills that the beginning of a line may become. Anything else than such a beginning has none. */
export function completeLine(line: string, skills: readonly string[]): Completion {
  const [, before = '', typed] = /^(\/(?:skill|enable|disable)\s+|(?=\/))(\S*)$/u.exec(line) ?? [];
  if (typed === undefined) return { candidates: [], typed: line };
  // A name that a terminal would act on is none that a person could want to type.
  const plain = skills.filter((name) => /^[\p{L}\p{M}\p{N}._/-]+$/u.test(name));
  const words = before === '' ? [...Object.keys(chatCommands), ...plain].map((name) => `/${name}`) : plain;
  const fitting = new Set(words.filter((word) => word.startsWith(typed)));
  const candidates = [...fitting].toSorted().slice(0, most);
  // What can be nothing else is a whole word.
  return { candidates: candidates.length === 1 ? candidates.map((word) => `${word} `) : candidates, typed };
}
