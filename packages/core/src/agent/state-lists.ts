/** How a list of a state is changed. */
export interface StateLists {
  append<Item>(list: readonly Item[], item: Item): readonly Item[];
  /** The last item replaced by another. */
  replaceLast<Item>(list: readonly Item[], item: Item): readonly Item[];
}

/** Each change is a list of its own, so that a state that somebody holds stays as it is. */
export const copiedLists: StateLists = {
  append: (list, item) => [...list, item],
  replaceLast: (list, item) => list.with(list.length - 1, item),
};

/**
 * Lists that nobody holds but the one who folds: copied when they are first changed, and changed in place from then on.
 * With it, folding takes time linear in the number of events, however long a record is.
 */
export function ownLists(): StateLists {
  const own = new WeakSet<object>();
  const writable = <Item>(list: readonly Item[]): Item[] => {
    // Only lists that were made here are in the set.
    if (own.has(list)) return list as Item[];
    const copy = [...list];
    own.add(copy);
    return copy;
  };
  return {
    append: (list, item) => {
      const changed = writable(list);
      changed.push(item);
      return changed;
    },
    replaceLast: (list, item) => {
      const changed = writable(list);
      changed[changed.length - 1] = item;
      return changed;
    },
  };
}
