import { SkillsError, type ModelRequest, type SkillEntry, type SkillRegistry } from '@skillpack/core';

const linesOfEach = 5;
const leastLetters = 25;

/** Knows lines of the texts of skills by which a request betrays that a model is shown one. */
export class BodyWatch {
  readonly #registry: SkillRegistry;
  #lines: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(registry: SkillRegistry) {
    this.#registry = registry;
  }

  /**
   * Looks at the lines of a request one by one: however large a catalogue is, it takes as long as the request has lines.
   *
   * @param known what a person said: a line of it tells of nothing.
   * @returns the skill whose text the request holds.
   */
  async shown({ system, messages }: ModelRequest, known: string): Promise<string | undefined> {
    this.#lines ??= this.#read();
    const lines = await this.#lines;
    for (const text of [system, ...messages.map(({ content }) => content)]) {
      for (const line of text.split('\n')) {
        const skill = lines.get(line.trim());
        if (skill !== undefined && !known.includes(line.trim())) return skill;
      }
    }
    return undefined;
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const { skills } = await this.#registry.index();
    const lines = new Map<string, string>();
    for (const entry of skills) {
      for (const line of await this.#linesOf(entry)) if (!lines.has(line)) lines.set(line, entry.name);
    }
    // Everybody is told these.
    for (const { head } of skills) for (const line of (head.description ?? '').split('\n')) lines.delete(line.trim());
    return lines;
  }

  /** A text that cannot be read is shown to nobody. */
  async #linesOf(entry: SkillEntry): Promise<readonly string[]> {
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
