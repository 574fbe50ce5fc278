export { skillMiddleware, type LangChainSkillPorts, type LangChainTool } from './langchain/skill-middleware.js';
export type { SharedSkillOptions, SkillOptions, SkillPorts, ToolRisk } from './session/skill-ports.js';
export type { ShownResult } from './session/shown-result.js';
