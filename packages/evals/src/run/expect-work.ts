import { expectPlan, expectSuites } from '../plan/expect-given.js';
import type { EvalWork } from './eval-work.js';

/** Whoever calls may write in a language without types. @throws `USAGE`, with what came and what was expected. */
export function expectWork(work: EvalWork, of: string): EvalWork {
  const given: Partial<EvalWork> | null | undefined = work;
  const { suites, plan } = (given ?? {}) as EvalWork;
  expectPlan(plan, of);
  expectSuites(suites, of);
  return { suites, plan };
}
