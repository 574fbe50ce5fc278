export { openRunFolder } from './open-run-folder.js';
export type { RecordPorts } from './read-record.js';
export type { ListedRun, OpenRun, ResumedRun, RunFolder, StoredRun } from './run-folder.js';
