import * as z from 'zod/mini';
import { isVersionRange } from './version.js';

const pattern = /^[a-z][a-z0-9._-]{0,63}$/u;

/**
 * Whether `text` can be a tag: 1 to 64 of `a-z0-9._-`, a letter first, and no version range (`x`, `v1`), so that
 * `org/pdf@tag` has one meaning.
 */
export function isTagName(text: string): boolean {
  // Every object of JavaScript has a `constructor`: looked up among the tags, it would be found.
  return pattern.test(text) && text !== 'constructor' && !isVersionRange(text);
}

export const tagNameSchema = z.string().check(z.regex(pattern, { error: 'expected a tag' }));
