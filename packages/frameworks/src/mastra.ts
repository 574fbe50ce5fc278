export {
  conversationKey,
  skillSettings,
  type MastraSkillPorts,
  type MastraSkillSettings,
  type MastraTools,
} from './mastra/skill-settings.js';
export type { MastraTool } from './mastra/to-mastra-tool.js';
export type { SharedSkillOptions, SkillOptions, SkillPorts, ToolRisk } from './session/skill-ports.js';
export type { ShownResult } from './session/shown-result.js';
