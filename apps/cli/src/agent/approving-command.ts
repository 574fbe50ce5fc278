/**
 * The command line that does the same with a tool approved.
 *
 * @param words those of the command line, without the program.
 */
export function approvingCommand(words: readonly string[], tool: string): readonly string[] {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  const rest = end === -1 ? [] : words.slice(end);
  const approved: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const word = options[at] ?? '';
    if (word === '--approve') {
      at += 1;
      approved.push(options[at] ?? '');
    } else if (word.startsWith('--approve=')) approved.push(word.slice('--approve='.length));
    else others.push(word);
  }
  const before = approved
    .flatMap((list) => list.split(','))
    .filter((name) => !['', 'ask', 'never', tool].includes(name));
  return ['skills', ...others, '--approve', [...before, tool].join(','), ...rest];
}

/**
 * The command line with one more flag.
 *
 * @param words those of the command line, without the program.
 */
export function withFlag(words: readonly string[], flag: string): readonly string[] {
  const end = words.indexOf('--');
  return ['skills', ...(end === -1 ? [...words, flag] : words.toSpliced(end, 0, flag))];
}

/** Words as one types them into a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
