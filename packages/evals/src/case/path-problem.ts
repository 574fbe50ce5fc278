import { judgePath, pathProblems, quoted } from '@skillpack/core';

/** What keeps a text from being the path of a file below a folder, on any disk; `undefined` for one that is fine. */
export function pathProblem(path: string): string | undefined {
  // It would be no field of an object.
  if (path === '__proto__') return 'expected the path of a file, found “__proto__”';
  const problem = judgePath(path);
  if (problem === undefined) return undefined;
  const what = problem === 'path-traversal' ? 'leads out of the folder (“..”)' : pathProblems[problem];
  return `expected the path of a file below the folder, found ${quoted(path, 100)}: it ${what}`;
}
