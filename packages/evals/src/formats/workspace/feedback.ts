import type { WorkspaceOptions } from './workspace-options.js';
import { evalFolder, type SuiteRuns } from './suite-runs.js';

/** `feedback.json`; `undefined` where nobody said anything. */
export function feedbackOf(
  { suite, results }: SuiteRuns,
  { feedback = [], dialect }: WorkspaceOptions,
): object | undefined {
  const own = feedback.filter((each) => each.suite === suite.name);
  if (own.length === 0) return undefined;
  if (dialect === 'agentskills') {
    const texts = Map.groupBy(own, (each) => evalFolder(each.case));
    return Object.fromEntries([...texts].map(([folder, all]) => [folder, all.map(({ text }) => text).join('\n\n')]));
  }
  const reviews = own.flatMap((each) => {
    const result = results.find(({ key, case: id }) => (each.key === undefined ? id === each.case : key === each.key));
    if (result === undefined) return [];
    const run_id = `${evalFolder(result.case)}-${result.arm}-run-${result.trial}`;
    return [{ run_id, feedback: each.text, timestamp: each.at ?? result.at }];
  });
  return { reviews, status: 'complete' };
}
