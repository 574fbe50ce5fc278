const shell = /^(?:-[abefhnuvxC]{1,12}|-[abefhnuvxC]{0,12}o|--posix)$/u;
/** What a flag of a shell that ends in `o` takes, as a word of its own. */
const shellOption = /^(?:pipefail|errexit|nounset|noglob|xtrace|posix)$/u;
const python = /^-[bBdEIOqRsSuvx]{1,12}$/u;
const node =
  /^(?:--(?:no-)?(?:warnings|deprecation|experimental-strip-types|experimental-transform-types|enable-source-maps)|--(?:trace-(?:warnings|uncaught)|disable-warning=[\w:-]+|max-old-space-size=\d{1,6}))$/u;
const permission = /^(?:-A|-q|--quiet|--no-check|--(?:allow|deny)-[a-z]{1,20}(?:=[\w\-./:,@]*)?)$/u;

/**
 * What may stand between an interpreter and its script: only what leaves it to the interpreter to run that file. `-c`,
 * `-m`, `--eval` and `--import` make it run something else, or something before.
 */
const byInterpreter: readonly (readonly [RegExp, { readonly first?: string; readonly flags: RegExp }])[] = [
  [/^python/u, { flags: python }],
  [/^(?:node|nodejs|tsx)$/u, { flags: node }],
  [/^deno$/u, { first: 'run', flags: permission }],
  [/^bun$/u, { first: 'run', flags: /^--silent$/u }],
  [/^uv$/u, { first: 'run', flags: /^(?:--script|-s|-q|--quiet|--no-project|--offline)$/u }],
  [/^(?:ruby|perl)$/u, { flags: /^-[wWTtU]{1,4}$/u }],
  [/^Rscript$/u, { flags: /^--(?:vanilla|no-save|no-restore|no-environ|no-site-file|no-init-file)$/u }],
];

/** The first of the words of a `#!` line behind an interpreter that is not known to do no harm; `undefined` for none. */
export function findStrangeFlag(interpreter: string, flags: readonly string[]): string | undefined {
  if (/^(?:ba|da|z|k)?sh$/u.test(interpreter)) return findStrangeShellFlag(flags);
  const known = byInterpreter.find(([name]) => name.test(interpreter))?.[1];
  return flags.find((flag, index) => !(known?.flags.test(flag) === true || (index === 0 && flag === known?.first)));
}

/** A word that no flag takes names the file that is run, and a flag that has no word takes the script for one. */
function findStrangeShellFlag(flags: readonly string[]): string | undefined {
  return flags.find((flag, index) =>
    takesWord(flags[index - 1])
      ? !shellOption.test(flag)
      : !shell.test(flag) || (takesWord(flag) && flags[index + 1] === undefined),
  );
}

function takesWord(flag: string | undefined): boolean {
  return flag !== undefined && /^-[^-]*o$/u.test(flag);
}
