import type { Cassette, CassetteWriter } from './cassette.js';

/** A cassette that lives in this process. */
export interface MemoryCassette extends Cassette {
  /** What it holds now; `undefined` where nothing was recorded. */
  readonly text: string | undefined;
}

/**
 * A cassette without a disk, for tests, and for files that are read in some other way.
 *
 * @param text what it holds at first, as the file of a cassette does.
 */
export function memoryCassette(text?: string): MemoryCassette {
  let held = text;
  return {
    name: 'in memory',
    get text() {
      return held;
    },
    load: async () => held,
    async write(how, first): Promise<CassetteWriter> {
      let written = first;
      if (how === 'extend') held ??= first;
      return {
        async append(lines) {
          if (how === 'anew') written += lines;
          else held = `${held ?? ''}${lines}`;
        },
        async commit() {
          if (how === 'anew') held = written;
        },
        discard: async () => undefined,
      };
    },
  };
}
