/** Names by which the run keeps what it shortens of a result. */
export const resultNames = {
  content: 'content.txt',
  contentForUser: 'content-for-user.txt',
  output: 'output.json',
} as const;

/** Names of what a tool made, each once, and none that the run itself gives: one that is taken gets a number. */
export function outputNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set<string>(Object.values(resultNames));
  return wanted.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
    taken.add(free);
    return free;
  });
}
