const limit = 16;

/** The results of an action on each item, in the order of the items; sixteen run at once. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each item is taken once.
    for (const [index, item] of entries) results[index] = await action(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
