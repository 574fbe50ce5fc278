import type { EvalExecutor, EvalJob, EvalResult } from '../../src/index.js';

/** Every result of these jobs, from elsewhere; `into` has those that there were before it failed. */
export async function collect(
  executor: EvalExecutor,
  jobs: readonly EvalJob[],
  {
    signal = new AbortController().signal,
    cancelled,
    into = [],
  }: { readonly signal?: AbortSignal; readonly cancelled?: AbortSignal; readonly into?: EvalResult[] } = {},
): Promise<readonly EvalResult[]> {
  const elsewhere = async (): Promise<never> => {
    throw new Error('It is done elsewhere.');
  };
  for await (const result of executor.execute(jobs, elsewhere, { signal, cancelled })) into.push(result);
  return into;
}
