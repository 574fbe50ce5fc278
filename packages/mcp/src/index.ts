export type { McpSkillsOptions, McpSkillsPorts } from './client/mcp-skills.js';
export type { SkillsServer } from './server/create-skills-server.js';
export type { SkillsServerOptions, SkillsServerPorts } from './server/skills-server-options.js';
