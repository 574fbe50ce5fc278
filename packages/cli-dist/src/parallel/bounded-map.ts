/** How many are at work at one time. */
export interface BoundedOptions {
  readonly width: number;
}

/**
 * As `Promise.all(items.map(work))`, with at most `width` at a time. After the first failure no more are begun; it is
 * thrown when those at work have ended, so that none of them goes on behind the caller's back.
 */
export async function boundedMap<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  options: BoundedOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
