/** The folder around everything that our reader takes away and others do not, from the paths that both read. */
export function enclosingFolder(ours: readonly string[], theirs: readonly string[]): string {
  const [first = ''] = ours;
  const longer = theirs.find((path) => path.endsWith(`/${first}`));
  return theirs.includes(first) || longer === undefined ? '' : longer.slice(0, longer.length - first.length);
}
