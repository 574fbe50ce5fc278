const places = ['--cwd', '--runs-dir'];
const kept = ['--model', '--approve', '--allow', '--sandbox', '--scope', '--env', '--script-timeout', ...places];
const keptFlags = ['--json'];

/**
 * Of a command line, the options that belong to every command which goes on with its run: what answers, what is allowed,
 * where it is recorded, and in which form a program reads it.
 */
export function keptOptions(words: readonly string[]): readonly string[] {
  return [...optionsOf(words, kept), ...keptFlags.filter((flag) => beforeRest(words).includes(flag))];
}

/** Of a command line, the options that say where its run is recorded. */
export function placeOptions(words: readonly string[]): readonly string[] {
  return optionsOf(words, places);
}

/** Of a command line, the option that says where it works. */
export function folderOption(words: readonly string[]): readonly string[] {
  return optionsOf(words, ['--cwd']);
}

/**
 * A command line without the options that say where it works, and where its run is recorded.
 *
 * @param named.last the run that the word `last` means.
 */
export function withoutPlaces(words: readonly string[], { last }: { readonly last: string }): readonly string[] {
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? '';
    if (places.includes(word) || places.includes(before)) return [];
    if (places.some((name) => word.startsWith(`${name}=`))) return [];
    return word === 'last' && before === 'resume' ? [last] : [word];
  });
}

function optionsOf(words: readonly string[], names: readonly string[]): readonly string[] {
  const options = beforeRest(words);
  return options.flatMap((word, at) => {
    if (names.includes(word)) return options.slice(at, at + 2);
    return names.some((name) => word.startsWith(`${name}=`)) ? [word] : [];
  });
}

/** What stands behind `--` is no option. */
function beforeRest(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}
