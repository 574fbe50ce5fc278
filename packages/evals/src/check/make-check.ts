import { visibleLines, visibleText } from '@skillpack/core';
import type { CheckResult } from './check-result.js';
import { shortText } from './short-text.js';

/** UTF-16 code units. */
const longestText = 1_000;
const longestEvidence = 2_000;

/** A result whose texts are fit for a terminal, and no longer than a result has room for. */
export function makeCheck({ kind, text, verdict, evidence, seq }: CheckResult): CheckResult {
  return {
    kind,
    text: shortText(visibleText(text), longestText),
    verdict,
    evidence: shortText(visibleLines(evidence), longestEvidence),
    ...(seq !== undefined && { seq }),
  };
}
