// Everything that makes an agent is loaded together.
export { randomUUID } from 'node:crypto';
export { openRunFolder } from '@skillpack/runs-fs';
export { openAgent } from '../agent/open-agent.js';
