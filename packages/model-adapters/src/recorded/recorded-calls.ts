import type { RecordedCall } from './parse-cassette.js';

/** A call that was taken to be replayed. */
export interface TakenCall {
  readonly call: RecordedCall;
  /** For a replay that was given up: the call is there again for whoever asks the same. */
  giveBack(): void;
}

interface Line {
  readonly calls: readonly RecordedCall[];
  readonly taken: Set<number>;
}

/** The calls of a cassette by what was asked: the first time it is asked again, the first; the second time, the second. */
export class RecordedCalls {
  readonly #lines: ReadonlyMap<string, Line>;

  constructor(calls: readonly RecordedCall[]) {
    const byKey = Map.groupBy(calls, ({ call }) => call.key);
    this.#lines = new Map([...byKey].map(([key, same]) => [key, { calls: same, taken: new Set<number>() }]));
  }

  take(key: string): TakenCall | undefined {
    const line = this.#lines.get(key);
    const index = line?.calls.findIndex((_, at) => !line.taken.has(at)) ?? -1;
    const call = line?.calls[index];
    if (line === undefined || call === undefined) return undefined;
    line.taken.add(index);
    return { call, giveBack: () => void line.taken.delete(index) };
  }

  /** How many answers there are to a request. */
  countOf(key: string): number {
    return this.#lines.get(key)?.calls.length ?? 0;
  }
}
