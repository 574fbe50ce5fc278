/** The first of several things in a line, and how many more there are: `read mail, send it and 7 things more`. */
export function someOf(things: readonly string[], most: number): string {
  const more = things.length - most;
  const named = things.slice(0, most).join(', ');
  return more > 0 ? `${named} and ${more} ${more === 1 ? 'thing' : 'things'} more` : named;
}
