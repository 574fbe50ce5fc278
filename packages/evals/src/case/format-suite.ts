import type { EvalSuite } from './eval-case.js';

/**
 * Writes a suite as a file of cases, in YAML: what `parseSuite` makes of it is the same suite. Files stand in it as
 * texts, or in Base64.
 *
 * @throws `INVALID_CASE` for a suite that `parseSuite` would refuse.
 */
export function formatSuite(suite: EvalSuite): string {
  throw new Error(`Not there yet: ${suite.name}`);
}
