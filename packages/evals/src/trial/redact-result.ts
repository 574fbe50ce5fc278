import type { EvalResult } from '../results/eval-result.js';

/** The result without secrets, in every text of it that comes from outside. */
export function redactResult(result: EvalResult, redact: (text: string) => string): EvalResult {
  const { input, answer, reason, checks, steps, files } = result;
  return {
    ...result,
    input: redact(input),
    answer: redact(answer),
    ...(reason !== undefined && { reason: { ...reason, message: redact(reason.message) } }),
    checks: checks.map((check) => ({ ...check, text: redact(check.text), evidence: redact(check.evidence) })),
    steps: steps.map((step) => ({
      ...step,
      label: redact(step.label),
      ...(step.detail !== undefined && { detail: redact(step.detail) }),
    })),
    files: files.map(({ path, size }) => ({ path: redact(path), size })),
  };
}
