import { escapedJson, type Digest } from '@skillpack/core';
import type { EvalJob } from './eval-job.js';

/** What is said of jobs, then the jobs, one a line: what changed is seen by a glance at a difference. */
export function formatPart(
  head: Readonly<Record<string, string | number>>,
  { jobs, keys }: { readonly jobs: readonly EvalJob[]; readonly keys?: readonly Digest[] | undefined },
): string {
  const lines = [
    ...Object.entries(head).map(([name, value]) => `  ${escapedJson([name]).slice(1, -1)}: ${jsonOf(value)}`),
    ...(keys === undefined ? [] : [`  "keys": ${listOf(keys.map(jsonOf))}`]),
    `  "jobs": ${listOf(jobs.map(jobOf))}`,
  ];
  return `{\n${lines.join(',\n')}\n}\n`;
}

function jobOf({ key, suite, case: id, arm, model, trial }: EvalJob): string {
  return escapedJson({ key, suite, case: id, arm, model, trial });
}

function jsonOf(value: string | number): string {
  return escapedJson([value]).slice(1, -1);
}

function listOf(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `    ${item}`).join(',\n')}\n  ]`;
}
