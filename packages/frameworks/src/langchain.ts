export {
  skillMiddleware,
  type LangChainSkillPorts,
  type LangChainTool,
  type SkillMiddleware,
} from './langchain/skill-middleware.js';
export type { SharedSkillOptions, SkillOptions, SkillPorts, ToolRisk } from './session/skill-ports.js';
export type { ShownResult } from './session/shown-result.js';
