export { openRunFolder } from '@skillpack/runs-fs';
export { sharedBy } from '../agent/project-runs.js';
export { readAgentSettings } from '../settings/read-agent-settings.js';
export { isTrusted } from '../settings/trusted-projects.js';
