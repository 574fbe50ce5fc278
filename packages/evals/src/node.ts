export { caseFilesIn, type CaseFilesOptions } from './case/case-files-in.js';
export { findSuites, type FoundSuite, type FoundSuites } from './case/find-suites.js';
export { readSuite, type ReadSuite, type ReadSuiteOptions } from './case/read-suite.js';
export type { SkippedFile } from './case/skipped-file.js';
export { reportPage } from './report/report-page.js';
export { resultsFile, type ResultsFile } from './results/results-file.js';
export {
  temporaryWorkspaces,
  type TemporaryWorkspace,
  type TemporaryWorkspaces,
  type TemporaryWorkspacesOptions,
} from './trial/temporary-workspaces.js';
