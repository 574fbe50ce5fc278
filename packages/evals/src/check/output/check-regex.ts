import { compilePattern } from '../../case/compile-pattern.js';
import type { OutputCheck } from '../../case/expectations.js';
import { shortText } from '../short-text.js';
import { beginning } from './check-text.js';
import { unknown, type OutputVerdict } from './output-verdict.js';

/** Instructions of a pattern times characters: some seconds. */
const mostMatching = 1_000_000_000;

/** A pattern is found in it, in linear time. */
export function checkRegex({ pattern, flags }: OutputCheck & { readonly kind: 'regex' }, text: string): OutputVerdict {
  let compiled;
  try {
    compiled = compilePattern(pattern, flags);
  } catch (error) {
    return unknown(`The pattern cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const size = compiled.programSize();
  if (size * text.length > mostMatching)
    return unknown(`It has ${text.length} characters, and the pattern is too large for that (${size}).`);
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return { holds: false, evidence: beginning(text) };
  const found = matcher.group() ?? '';
  return { holds: true, evidence: `It has ${JSON.stringify(shortText(found, 300))}` };
}
