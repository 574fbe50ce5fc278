import { readFile } from 'node:fs/promises';

/*
 * Prints `N passed, N failed` for the report that vitest wrote. A file that could not even be loaded holds no test and
 * counts as one failure; so does a report that is not there.
 */

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

async function countTests(path: string): Promise<{ readonly passed: number; readonly failed: number }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    console.error(`There is no test report: ${String(error)}`);
    return { passed: 0, failed: 1 };
  }
  // Written by vitest a moment ago.
  const report = JSON.parse(text) as TestReport;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  for (const { name } of broken) console.error(`Failed outside its tests: ${name}`);
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Usage: node scripts/summarise-tests.ts <report.json>');
const { passed, failed } = await countTests(path);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
