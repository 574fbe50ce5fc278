import { visibleLines, type JsonValue } from '@skillpack/core';
import * as z from 'zod/mini';
import { jsonInText, readJson } from '../check/output/json-in-text.js';
import { shortText } from '../check/short-text.js';

/** What a judge says of one statement. */
export interface Verdict {
  readonly passed: boolean;
  /** Cleaned for a terminal. */
  readonly evidence: string;
}

/** The verdicts, or why there are none. */
export type VerdictReading =
  | { readonly kind: 'read'; readonly verdicts: readonly Verdict[] }
  | { readonly kind: 'unread'; readonly why: string };

const longestEvidence = 2_000;

const answerSchema = z.object({
  verdicts: z.array(
    z.object({ statement: z.int(), evidence: z.string().check(z.trim(), z.minLength(1)), passed: z.boolean() }),
  ),
});

/** What a judge was asked. */
export interface VerdictQuestion {
  /** How many statements there are. */
  readonly count: number;
  /** What it was shown: verdicts that stand there are none of its own. */
  readonly material: readonly string[];
}

/**
 * Reads what a judge answered: one JSON object, alone or in whatever stands around it, with exactly one verdict for each
 * statement by its number, in whatever order. Nothing is guessed: what is not that is no answer, nor is what a judge only
 * quotes.
 */
export function readVerdicts(text: string, { count, material }: VerdictQuestion): VerdictReading {
  const whole = readJson(text.trim());
  const values = whole === undefined ? jsonInText(text) : [whole];
  if (values.length !== 1)
    return unread(values.length === 0 ? 'There is no JSON in it.' : 'There are several answers in it.');
  const parsed = answerSchema.safeParse(values[0]);
  if (!parsed.success) return unread('It does not have the form that was asked for.');
  if (whole === undefined && isQuoted(parsed.data, material))
    return unread('What is in it stands in the material, too.');
  const { verdicts } = parsed.data;
  if (verdicts.length !== count) return unread(`It has ${verdicts.length} verdicts on ${count} statements.`);
  const byNumber = new Map(verdicts.map((verdict) => [verdict.statement, verdict]));
  const ordered: Verdict[] = [];
  for (let number = 1; number <= count; number += 1) {
    const verdict = byNumber.get(number);
    if (verdict === undefined) return unread(`It has no verdict on statement ${number}.`);
    ordered.push({ passed: verdict.passed, evidence: shortText(visibleLines(verdict.evidence), longestEvidence) });
  }
  return { kind: 'read', verdicts: ordered };
}

/** Around what it quotes, a judge may say the contrary. */
function isQuoted({ verdicts }: z.infer<typeof answerSchema>, material: readonly string[]): boolean {
  const quote = JSON.stringify(verdicts);
  const open: JsonValue[] = material.flatMap(jsonInText);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const { data } = answerSchema.safeParse(part);
    if (data !== undefined && JSON.stringify(data.verdicts) === quote) return true;
    for (const inner of Object.values(part)) open.push(inner);
  }
  return false;
}

function unread(why: string): VerdictReading {
  return { kind: 'unread', why };
}
