const longest = 4_000;

/** What something that was thrown says, whatever it is: foreign code throws things that have no text at all. */
export function messageOf(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : String(thrown);
    if (typeof text === 'string') return text.slice(0, longest);
  } catch {
    // It says nothing.
  }
  return 'something without a message';
}
