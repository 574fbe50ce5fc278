export type { FoundSkill, IgnoredFolder, IgnoredReason, ScannedRoot, ScanReport, SkillRoot } from './scan-report.js';
export type { ScanCachePort } from './scan-cache.js';
export { scanCacheFiles } from './scan-cache-files.js';
export type { ScanOptions } from './scan-options.js';
export { scanSkillRoots, type ScanPorts } from './scan-skill-roots.js';
