export { openRunFolder } from '@skillpack/runs-fs';
export { readAgentSettings } from '../settings/read-agent-settings.js';
