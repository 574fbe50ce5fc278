const mostNamed = 3;

/** What a report of some suites is called. */
export function titleOf(suites: readonly string[]): string {
  if (suites.length <= mostNamed) return `Evals of ${suites.join(', ')}`;
  return `Evals of ${suites.slice(0, mostNamed).join(', ')} and ${suites.length - mostNamed} more`;
}
