export { mcpSkills, type McpSkillsOptions, type McpSkillsPorts } from './client/mcp-skills.js';
export { createSkillsServer, type SkillsServer } from './server/create-skills-server.js';
export type { SkillsServerOptions, SkillsServerPorts } from './server/skills-server-options.js';
