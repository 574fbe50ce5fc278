/** What was done about a change whose process had died, before a command did what it was asked for. */
export function describeRecovery(outcome: 'finished' | 'discarded'): string {
  return outcome === 'finished'
    ? 'An interrupted change was finished first.'
    : 'What an interrupted change had left was removed first.';
}
