import { quoted, SkillsError } from '@skillpack/core';

/**
 * The name of a model that stands behind the colon.
 *
 * @param form how such a model is named, for the message.
 * @throws `USAGE` where there is none, or it has spaces: then two words were meant.
 */
export function nameBehind(word: string | undefined, form: string): string {
  if (word !== undefined && /^\S{1,256}$/u.test(word)) return word;
  const found = word === undefined ? 'there is no colon' : `behind the colon stands ${quoted(word)}`;
  throw new SkillsError('USAGE', `A model is named as ${form}; ${found}.`, { data: { form } });
}

/**
 * The two parts of `<first>#<model>`.
 *
 * @throws `USAGE` where one of them is missing.
 */
export function partsBehind(
  word: string | undefined,
  form: string,
): { readonly first: string; readonly model: string } {
  const whole = nameBehind(word, form);
  const hash = whole.indexOf('#');
  const [first, model] = [whole.slice(0, Math.max(hash, 0)), whole.slice(hash + 1)];
  if (hash !== -1 && first !== '' && model !== '') return { first, model };
  throw new SkillsError('USAGE', `A model is named as ${form}; something is missing beside its #.`, {
    hint: 'On a command line, quote it: for some shells # begins a comment.',
    data: { form },
  });
}
