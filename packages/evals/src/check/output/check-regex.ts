import { compilePattern } from '../../case/compile-pattern.js';
import type { OutputCheck } from '../../case/expectations.js';
import { shortText } from '../short-text.js';
import { beginning } from './check-text.js';
import { unknown, type OutputVerdict } from './output-verdict.js';

/** A pattern is found in it, in linear time. */
export function checkRegex({ pattern, flags }: OutputCheck & { readonly kind: 'regex' }, text: string): OutputVerdict {
  let matcher;
  try {
    matcher = compilePattern(pattern, flags).matcher(text);
  } catch (error) {
    return unknown(`The pattern cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!matcher.find()) return { holds: false, evidence: beginning(text) };
  const found = matcher.group() ?? '';
  return { holds: true, evidence: `It has ${JSON.stringify(shortText(found, 300))}` };
}
