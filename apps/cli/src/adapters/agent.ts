// Everything that makes an agent is loaded together.
export { randomUUID } from 'node:crypto';
export { openAgent } from '../agent/open-agent.js';
