export { openRunFolder } from './open-run-folder.js';
export type { RecordPorts } from './read-record.js';
export { sha256 } from './sha256.js';
export type { CreateRunOptions, ListedRun, OpenRun, ResumedRun, RunFolder, StoredRun } from './run-folder.js';
export { systemClock } from './system-clock.js';
