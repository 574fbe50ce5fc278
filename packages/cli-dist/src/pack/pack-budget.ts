import { SkillsError, quoted, type ArchiveLimits } from '@skillpack/core';

/** What a pack may still hold, asked before each file is read, so that a folder that is too large is not read first. */
export class PackBudget {
  readonly #limits: ArchiveLimits;
  #files = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Counts one file. @throws `FILE_TOO_LARGE` when it does not fit. */
  take(path: string, size: number): void {
    const { entries, fileBytes, unpackedBytes } = this.#limits;
    this.#files += 1;
    this.#bytes += size;
    if (this.#files >= entries) {
      throw tooLarge(`The pack would have more files than the ${entries - 1} that go beside its manifest.`, {
        hint: 'Leave files out with .skillpackignore, or make several packs.',
        data: { limit: entries },
      });
    }
    const hint = 'Leave large files out with .skillpackignore, and let a script fetch them when they are needed.';
    if (size > fileBytes) {
      throw tooLarge(`${quoted(path)} has ${size} bytes; a file in a pack has at most ${fileBytes}.`, {
        hint,
        data: { path, size, limit: fileBytes },
      });
    }
    if (this.#bytes > unpackedBytes) {
      throw tooLarge(`The files of the pack have more than the ${unpackedBytes} bytes allowed.`, {
        hint,
        data: { size: this.#bytes, limit: unpackedBytes },
      });
    }
  }
}

function tooLarge(message: string, options: ConstructorParameters<typeof SkillsError>[2]): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', message, options);
}
