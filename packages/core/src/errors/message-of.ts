const longest = 4_000;

/** What something that was thrown says, whatever it is: foreign code throws things that have no text at all. */
export function messageOf(thrown: unknown): string {
  return wholeMessageOf(thrown).slice(0, longest);
}

/** As {@link messageOf}, however long it is. */
export function wholeMessageOf(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : String(thrown);
    if (typeof text === 'string') return text;
  } catch {
    // It says nothing.
  }
  return 'something without a message';
}
