import { SkillsError, type ModelRequest, type SkillEntry, type SkillRegistry } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';

const linesOfEach = 5;
const leastLetters = 25;

/** Knows lines of the texts of skills by which a request betrays that a model is shown one. */
export class BodyWatch {
  readonly #registry: SkillRegistry;
  readonly #lines = new Map<string, Promise<readonly string[]>>();

  constructor(registry: SkillRegistry) {
    this.#registry = registry;
  }

  /** What tells of a text that a case must not show; a line that stands elsewhere, too, tells of nothing. */
  async linesOf(offered: readonly SkillEntry[], { conversation }: EvalCase): Promise<ReadonlyMap<string, string>> {
    const known = [
      ...offered.map(({ head }) => head.description ?? ''),
      ...conversation.map(({ input }) => input),
    ].join('\n');
    const lines = new Map<string, string>();
    for (const entry of offered) {
      const own = this.#lines.get(entry.location) ?? this.#read(entry);
      this.#lines.set(entry.location, own);
      for (const line of await own) if (!known.includes(line) && !lines.has(line)) lines.set(line, entry.name);
    }
    return lines;
  }

  /** A text that cannot be read is shown to nobody. */
  async #read(entry: SkillEntry): Promise<readonly string[]> {
    try {
      const { skill } = await this.#registry.body(entry);
      const lines = skill.body.split('\n').map((line) => line.trim());
      return lines.filter((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= leastLetters).slice(0, linesOfEach);
    } catch (error) {
      if (SkillsError.is(error)) return [];
      throw error;
    }
  }
}

/** The skill whose text a request holds. */
export function shownBody({ system, messages }: ModelRequest, lines: ReadonlyMap<string, string>): string | undefined {
  const text = [system, ...messages.map(({ content }) => content)].join('\n');
  for (const [line, skill] of lines) if (text.includes(line)) return skill;
  return undefined;
}
