const kept = ['--approve', '--cwd', '--runs-dir'];

/** Of a command line, the options that belong to every command which goes on with its run. */
export function keptOptions(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  return options.flatMap((word, at) => {
    if (kept.includes(word)) return options.slice(at, at + 2);
    return kept.some((name) => word.startsWith(`${name}=`)) ? [word] : [];
  });
}
