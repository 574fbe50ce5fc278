import { RE2JS } from 're2js';

/** UTF-16 code units of a pattern. */
export const maxPatternLength = 1_000;

/**
 * A pattern with its flags, matched in linear time: `i` letters of either case, `m` `^` and `$` at every line, `s` `.` for
 * a line break, too. `u` says nothing, as every pattern is of Unicode.
 *
 * @throws an `Error` that says what is wrong with it, as with what RE2 does not know: lookaround and backreferences.
 */
export function compilePattern(pattern: string, flags: string): RE2JS {
  if (pattern.length > maxPatternLength)
    throw new Error(`it has ${pattern.length} characters, at most ${maxPatternLength} are allowed`);
  if (!/^[imsu]*$/u.test(flags) || new Set(flags).size !== flags.length)
    throw new Error('expected flags of i, m, s and u, each once');
  const bits = [
    ['i', RE2JS.CASE_INSENSITIVE],
    ['m', RE2JS.MULTILINE],
    ['s', RE2JS.DOTALL],
  ] as const;
  return RE2JS.compile(
    pattern,
    bits.reduce((sum, [flag, bit]) => (flags.includes(flag) ? sum | bit : sum), 0),
  );
}
